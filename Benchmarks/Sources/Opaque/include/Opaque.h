#ifndef RELUX_OPAQUE_H
#define RELUX_OPAQUE_H

/// Does nothing, and the Swift optimiser can't know: it has to leave an actor before it calls this.
void relux_opaque(void);

/// Does nothing with what it gets, and the Swift optimiser can't know: it has to make it.
void relux_opaque_use(const void *value);

#endif
