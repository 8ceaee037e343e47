/* corpus/cleaned.c -- values of lists, and files of earlier runs: see cleaned.h. */
#include "corpus/cleaned.h"

#include "base/file.h"
#include "base/utf8.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <unistd.h>

int cleaned_value(struct bytes *out, struct slice value)
{
    size_t valid = utf8_valid_length(value);
    int    rc = 0;

    for (size_t i = 0, plain = 0; i <= value.len && rc == 0; i++) {
        unsigned char c = i < value.len ? (unsigned char)value.at[i] : 0;

        if (i < valid && c >= 0x20 && c != '\\' && c != 0x7F) continue;
        rc = bytes_append(out, value.at + plain, i - plain);
        if (rc == 0 && i < value.len) rc = bytes_printf(out, "\\x%02X", c);
        plain = i + 1;
        if (i >= valid && i < value.len)
            valid = plain + utf8_valid_length((struct slice){ value.at + plain, value.len - plain });
    }
    return rc;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool ends_in(const char *name, const char *suffix)
{
    size_t len = strlen(name), tail = strlen(suffix);

    return len > tail && strcmp(name + len - tail, suffix) == 0;
}

int cleaned_sweep(char *folder, char *const *keep, size_t count, const char *suffix, struct err *err)
{
    FTS    *walk = fts_open((char *[]){ folder, NULL }, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    FTSENT *at;
    int     rc = walk ? 0 : err_set(err, -errno, "%s: %s", folder, strerror(errno));

    while (rc == 0 && (errno = 0, at = fts_read(walk))) {
        const char *path = at->fts_path;

        if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR || (at->fts_info == FTS_NS && at->fts_errno != ENOENT))
            rc = err_set(err, -at->fts_errno, "%s: %s", path, strerror(at->fts_errno));
        if (at->fts_info != FTS_F || (!file_is_aside(at->fts_name) && !ends_in(at->fts_name, suffix))) continue;
        if (count && bsearch(&path, keep, count, sizeof *keep, by_text)) continue;
        if (unlink(path) < 0 && errno != ENOENT)
            rc = err_set(err, -errno, "%s: cannot remove this file of an earlier run: %s", path, strerror(errno));
    }
    if (rc == 0 && errno) rc = err_set(err, -errno, "%s: %s", folder, strerror(errno));
    if (walk) fts_close(walk);
    return rc;
}
