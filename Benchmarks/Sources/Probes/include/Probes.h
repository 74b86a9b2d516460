#ifndef RELUX_PROBES_H
#define RELUX_PROBES_H

#include <stdbool.h>
#include <stdint.h>

/// Whether a program can replace malloc and related functions on this system. If not, the counters stay at zero.
bool relux_probes_count_allocations(void);

/// Starts or stops counting. Counting is initially off, and then costs one test of a flag per call.
void relux_probes_set_counting(bool counting);

/// The number of blocks that all threads have allocated or reallocated while counting was on.
int64_t relux_probes_allocations(void);

/// The number of bytes allocated minus those freed while counting was on, including the allocator's overhead per block.
/// Freeing blocks that were allocated earlier can make it negative.
int64_t relux_probes_live_bytes(void);

/// The resident memory of the process in bytes, or -1 if it can't be determined. Allocates nothing.
int64_t relux_probes_resident_bytes(void);

/// The processor time of all threads of the process in nanoseconds, or -1 if it can't be determined.
int64_t relux_probes_processor_time(void);

/// Does nothing. It marks the point at which an external profiler starts counting.
void relux_probes_begin(void);

/// Does nothing. It marks the point at which an external profiler stops counting.
void relux_probes_end(void);

#endif
