/* corpus/skip.c -- see skip.h. */
#include "corpus/skip.h"

#include "corpus/dataset.h"

const char *const skip_names[SKIP_REASON_COUNT] = {
    [SKIP_BINARY] = "binary", [SKIP_LINK] = "link", [SKIP_VCS] = "vcs", [SKIP_CACHE] = "cache",
    [SKIP_EXCLUDED] = "excluded",
};

void skips_add(struct skips *to, const struct skips *more)
{
    for (size_t r = 0; r < SKIP_REASON_COUNT; r++) to->files[r] += more->files[r];
}

uint64_t skips_sum(const struct skips *skips)
{
    uint64_t sum = 0;

    for (size_t r = 0; r < SKIP_REASON_COUNT; r++) sum += skips->files[r];
    return sum;
}

static bool skip_of_name(struct slice name, enum skip_reason *out)
{
    static const struct { struct slice name; enum skip_reason reason; } skipped[] = {
        { { ".git", 4 }, SKIP_VCS }, { { ".hg", 3 }, SKIP_VCS }, { { ".svn", 4 }, SKIP_VCS },
        { { "__pycache__", 11 }, SKIP_CACHE },
    };

    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
        if (slice_equal(name, skipped[i].name)) {
            *out = skipped[i].reason;
            return true;
        }
    return false;
}

bool skip_of_path(const struct dataset *dataset, struct slice path, enum skip_reason *out)
{
    struct slice outside = path;                            /* what is there before the name that is a reason */
    bool         named = false;

    for (size_t at = 0; at < path.len && !named; ) {
        const char *end = memchr(path.at + at, '/', path.len - at);
        size_t      len = end ? (size_t)(end - path.at) - at : path.len - at;

        named = skip_of_name((struct slice){ path.at + at, len }, out);
        if (named) outside.len = at;
        at += len + 1;
    }
    if (!dataset_excludes(dataset, outside)) return named;
    *out = SKIP_EXCLUDED;
    return true;
}

const char *skip_of_text(struct slice text)
{
    return text.len ? memchr(text.at, 0, text.len < SKIP_LOOK ? text.len : SKIP_LOOK) : NULL;
}
