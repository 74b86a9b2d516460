#include "Opaque.h"

__attribute__((noinline)) void relux_opaque(void) {
    __asm__ volatile("");
}

__attribute__((noinline)) void relux_opaque_use(const void *value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}
