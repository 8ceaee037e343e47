/* near/gate.h -- what of pass near the user may bound in `fail_on`. */
#ifndef LEAKGRAPH_NEAR_GATE_H
#define LEAKGRAPH_NEAR_GATE_H

#include "capability/capability.h"

extern const struct gate near_gates[];

#endif
