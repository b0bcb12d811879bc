// Tells the thread sanitizer of Synchronization.Mutex.
//
// Where two threads meet, Mutex takes and gives its lock in libswiftSynchronization, which is not
// built for the sanitizer. Without this it would report everything that a Mutex guards, or hands
// from one thread to the next, as a race. Preloaded, these two functions stand before the library's
// own and say what those do.

#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Not there in programs without the sanitizer, which inherit the preloading.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlockSlow(SELF) __asm__(UNLOCK);

typedef SWIFT void (*Lock)(uint32_t, SELF);
typedef SWIFT void (*Unlock)(SELF);

SWIFT void lockSlow(uint32_t thread, SELF self) {
    ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlockSlow(SELF self) {
    if (__tsan_release) __tsan_release(self);
    ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(self);
}
