/* export/sink.h -- where an export goes: standard output, or a file that is there complete or not at all. */
#ifndef LEAKGRAPH_EXPORT_SINK_H
#define LEAKGRAPH_EXPORT_SINK_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"

struct export_sink {
    const char  *path;                                      /* NULL: standard output; borrowed */
    int          file;
    char         aside[FILE_NAME_MAX];                      /* the file's name until it is complete */
    struct bytes buffer;                                    /* formats append here, and flush */
};

/* 0, or <0 with err set; export_sink_close in any case. */
int  export_sink_open(struct export_sink *sink, const char *path, struct err *err);
/* Writes the buffer when it is large, or all of it.  0, or <0 with err set. */
int  export_sink_flush(struct export_sink *sink, bool all, struct err *err);
int  export_sink_write(struct export_sink *sink, struct slice bytes, struct err *err);
/* Flushes; gives the file its name. */
int  export_sink_commit(struct export_sink *sink, struct err *err);
void export_sink_close(struct export_sink *sink);           /* what was not committed is removed */

#endif
