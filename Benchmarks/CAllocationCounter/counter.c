#include "CAllocationCounter.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)

// glibc exports its allocator under these names so that programs may stand in front of it. The
// count is per thread and not atomic: it must cost nothing that a benchmark could see.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread uint64_t allocations;

int rejoin_counts_allocations(void) { return 1; }
uint64_t rejoin_allocation_count(void) { return allocations; }

void *malloc(size_t size) {
    allocations += 1;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations += 1;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations += 1;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations += 1;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    allocations += 1;
    *memory = __libc_memalign(alignment, size);
    return *memory == NULL ? 12 : 0;
}

#else

int rejoin_counts_allocations(void) { return 0; }
uint64_t rejoin_allocation_count(void) { return 0; }

#endif
