#ifndef REJOIN_ALLOCATION_COUNTER_H
#define REJOIN_ALLOCATION_COUNTER_H

#include <stdint.h>

/// Whether allocations are counted here: with glibc only.
int rejoin_counts_allocations(void);

/// How many times the calling thread has asked for memory (malloc, calloc, realloc and their
/// aligned forms) since it began.
uint64_t rejoin_allocation_count(void);

#endif
