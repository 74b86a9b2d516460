#ifndef RELUX_OPAQUE_H
#define RELUX_OPAQUE_H

/// Does nothing. The Swift optimiser can't know that, and therefore has to leave an actor before it calls this.
void relux_opaque(void);

/// Does nothing with its argument. The Swift optimiser can't know that, and therefore has to create the argument.
void relux_opaque_use(const void *value);

#endif
