/* model/llama_apart.h -- a GGUF file is loaded in a process of its own first.
 *
 * llama.cpp checks a file when it loads it, but not everything: of 2,491 heads that were damaged at random, 22 ended
 * the process by an assertion or a signal.  A run must not end by what a file says. */
#ifndef LEAKGRAPH_MODEL_LLAMA_APART_H
#define LEAKGRAPH_MODEL_LLAMA_APART_H

#include "base/err.h"

/* 0: the library lives through the file, whether it takes it or not; -EBADMSG with err set: it does not; -EMFILE and
 * others: no process could be started.  Weights are mapped, not read. */
int llama_apart(const char *path, struct err *err);

/* Of model_llama.c: starts the library and loads what it evaluates with.  Once a process. */
void llama_library_start(void);

#endif
