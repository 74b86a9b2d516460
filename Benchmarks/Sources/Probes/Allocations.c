#include "Probes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

// Interposition: glibc lets a program replace malloc if it defines all of these functions. The dynamic linker then
// prefers them for every library in the process. They count, and forward to the functions of the C library.

#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_bool counting;
static _Atomic int64_t allocations;
static _Atomic int64_t live_bytes;

static int64_t size_of(void *block) {
    // The allocator's header, one word before each block, is part of its cost.
    return block ? (int64_t)(malloc_usable_size(block) + sizeof(size_t)) : 0;
}

static void *counted(void *block) {
    if (block && atomic_load_explicit(&counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&live_bytes, size_of(block), memory_order_relaxed);
    }
    return block;
}

void *malloc(size_t size) {
    return counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    return counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size) {
    if (!atomic_load_explicit(&counting, memory_order_relaxed)) { return __libc_realloc(block, size); }
    int64_t before = size_of(block);
    void *moved = __libc_realloc(block, size);
    if (moved || size == 0) { atomic_fetch_sub_explicit(&live_bytes, before, memory_order_relaxed); }
    return counted(moved);
}

void free(void *block) {
    if (block && atomic_load_explicit(&counting, memory_order_relaxed)) {
        atomic_fetch_sub_explicit(&live_bytes, size_of(block), memory_order_relaxed);
    }
    __libc_free(block);
}

void *memalign(size_t alignment, size_t size) {
    return counted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
    return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) { return EINVAL; }
    void *made = counted(__libc_memalign(alignment, size));
    if (!made) { return ENOMEM; }
    *block = made;
    return 0;
}

bool relux_probes_count_allocations(void) { return true; }

void relux_probes_set_counting(bool wanted) { atomic_store(&counting, wanted); }

int64_t relux_probes_allocations(void) { return atomic_load(&allocations); }

int64_t relux_probes_live_bytes(void) { return atomic_load(&live_bytes); }

#else

bool relux_probes_count_allocations(void) { return false; }

void relux_probes_set_counting(bool wanted) { (void)wanted; }

int64_t relux_probes_allocations(void) { return 0; }

int64_t relux_probes_live_bytes(void) { return 0; }

#endif
