/* export/sink.c -- see sink.h. */
#include "export/sink.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SINK_BYTES = 1 << 18 };

int export_sink_open(struct export_sink *sink, const char *path, struct err *err)
{
    char        folder[FILE_NAME_MAX];
    struct stat there;
    int         rc = 0;

    *sink = (struct export_sink){ .path = path, .file = -1 };
    if (!path) return 0;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return err_set(err, -EINVAL, "%s: is no file; without --output the export goes to standard output", path);
    if ((rc = file_folder(path, folder, err)) < 0) return rc;
    sink->file = file_create_aside(folder, sink->aside, err);
    return sink->file < 0 ? err->code : 0;
}

int export_sink_write(struct export_sink *sink, struct slice bytes, struct err *err)
{
    if (sink->path) return file_write_all(sink->file, sink->path, bytes.at, bytes.len, err);
    if (bytes.len && fwrite(bytes.at, 1, bytes.len, stdout) != bytes.len)
        return err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    return 0;
}

int export_sink_flush(struct export_sink *sink, bool all, struct err *err)
{
    int rc;

    if (!all && sink->buffer.len < SINK_BYTES) return 0;
    rc = export_sink_write(sink, bytes_slice(&sink->buffer), err);
    sink->buffer.len = 0;
    return rc;
}

int export_sink_commit(struct export_sink *sink, struct err *err)
{
    int rc = export_sink_flush(sink, true, err);

    if (rc < 0 || !sink->path) return rc;
    rc = file_move(sink->file, sink->aside, sink->path, err);
    if (rc == 0) *sink->aside = 0;
    return rc;
}

void export_sink_close(struct export_sink *sink)
{
    if (sink->path && *sink->aside) unlink(sink->aside);
    if (sink->path && sink->file >= 0) close(sink->file);
    bytes_free(&sink->buffer);
}
