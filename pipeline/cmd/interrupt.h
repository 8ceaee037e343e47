/* cmd/interrupt.h -- what a run says when somebody stops it. */
#ifndef LEAKGRAPH_CMD_INTERRUPT_H
#define LEAKGRAPH_CMD_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM say, where it goes on, that the same command goes on where it was, and then end the
 * process as they would have done.  Signals that the caller of the program ignores stay ignored. */
void interrupt_explain(bool goes_on);

#endif
