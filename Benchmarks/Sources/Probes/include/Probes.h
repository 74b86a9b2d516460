#ifndef RELUX_PROBES_H
#define RELUX_PROBES_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this system lets a program put its own functions in place of malloc and the like. Where it doesn't, the
/// counters stay at zero.
bool relux_probes_count_allocations(void);

/// Starts or stops counting. It is off at first, and costs one test of a flag then.
void relux_probes_set_counting(bool counting);

/// How many blocks have been allocated or reallocated while counting was on, by all threads.
int64_t relux_probes_allocations(void);

/// How many bytes have been taken from the heap and not given back while counting was on, with what the allocator adds
/// to each block. Freeing what was allocated before makes it negative.
int64_t relux_probes_live_bytes(void);

/// The resident memory of the process, in bytes, or -1 where it can't be told. Allocates nothing.
int64_t relux_probes_resident_bytes(void);

/// The time that all threads of the process have spent on processors, in nanoseconds, or -1 where it can't be told.
int64_t relux_probes_processor_time(void);

/// Does nothing: a profiler that watches from outside begins to count here.
void relux_probes_begin(void);

/// Does nothing: a profiler that watches from outside stops counting here.
void relux_probes_end(void);

#endif
