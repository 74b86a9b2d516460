#include "Probes.h"

#if defined(__linux__)

#include <fcntl.h>
#include <unistd.h>

int64_t relux_probes_resident_bytes(void) {
    // The format is "total resident shared …", in pages.
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY);
    if (file < 0) { return -1; }
    ssize_t length = read(file, text, sizeof(text));
    close(file);

    ssize_t index = 0;
    while (index < length && text[index] != ' ') { index++; }
    index++;
    int64_t pages = 0;
    while (index < length && text[index] >= '0' && text[index] <= '9') {
        pages = pages * 10 + (text[index] - '0');
        index++;
    }
    return pages > 0 ? pages * (int64_t)sysconf(_SC_PAGESIZE) : -1;
}

#elif defined(__APPLE__)

#include <mach/mach.h>

int64_t relux_probes_resident_bytes(void) {
    mach_task_basic_info_data_t info;
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    kern_return_t result = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count);
    return result == KERN_SUCCESS ? (int64_t)info.resident_size : -1;
}

#else

int64_t relux_probes_resident_bytes(void) { return -1; }

#endif
