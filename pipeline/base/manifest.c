/* base/manifest.c -- see manifest.h. */
#define XXH_INLINE_ALL
#include "base/manifest.h"

#include "base/bytes.h"
#include "base/search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define MANIFEST_HEAD "leakgraph manifest 1\n"

/* ---- entries ---- */

static bool is_before(const void *context, size_t i)
{
    const void *const *sought = context;

    return strcmp(((const struct manifest *)sought[0])->at[i].place, sought[1]) < 0;
}

/* The first entry that is not before the place. */
static size_t entry_at(const struct manifest *manifest, const char *place)
{
    const void *const sought[] = { manifest, place };

    return search_first(0, manifest->count, is_before, sought);
}

struct manifest_entry *manifest_find(const struct manifest *manifest, const char *place)
{
    size_t i = entry_at(manifest, place);

    return i < manifest->count && strcmp(manifest->at[i].place, place) == 0 ? &manifest->at[i] : NULL;
}

struct manifest_entry *manifest_add(struct manifest *manifest, const char *place)
{
    struct manifest_entry *there = manifest_find(manifest, place);
    char                  *copy;
    size_t                 i;

    if (there) return there;
    copy = strdup(place);
    if (!copy || ARRAY_GROW(manifest->at, manifest->room, manifest->count) < 0) {
        free(copy);
        return NULL;
    }
    i = entry_at(manifest, place);
    memmove(manifest->at + i + 1, manifest->at + i, (manifest->count - i) * sizeof *manifest->at);
    manifest->at[i] = (struct manifest_entry){ .place = copy };
    manifest->count++;
    return &manifest->at[i];
}

static void entry_free(struct manifest_entry *entry)
{
    free(entry->place);
    free(entry->claimed);
}

void manifest_drop(struct manifest *manifest, bool (*drop)(const struct manifest_entry *entry, const void *context),
                   const void *context)
{
    size_t kept = 0;

    for (size_t i = 0; i < manifest->count; i++)
        if (drop(&manifest->at[i], context)) entry_free(&manifest->at[i]);
        else manifest->at[kept++] = manifest->at[i];
    manifest->count = kept;
}

void manifest_free(struct manifest *manifest)
{
    for (size_t i = 0; i < manifest->count; i++) entry_free(&manifest->at[i]);
    free(manifest->at);
    *manifest = (struct manifest){ 0 };
}

/* ---- writing ---- */

static int print_hash(struct bytes *out, uint64_t high, uint64_t low)
{
    return bytes_printf(out, "%016llx%016llx", (unsigned long long)high, (unsigned long long)low);
}

static int print_place(struct bytes *out, const char *place)
{
    int rc = 0;

    for (; *place && rc == 0; place++) {
        const unsigned char c = (unsigned char)*place;

        rc = c < 0x20 || c == 0x7F || c == '\\' ? bytes_printf(out, "\\x%02X", c) : bytes_append(out, place, 1);
    }
    return rc;
}

static int print(const struct manifest *manifest, struct bytes *out)
{
    int           rc = bytes_append(out, MANIFEST_HEAD, sizeof MANIFEST_HEAD - 1);
    XXH128_hash_t sum;

    for (size_t i = 0; i < manifest->count && rc == 0; i++) {
        const struct manifest_entry *entry = &manifest->at[i];

        if (entry->written) rc = print_hash(out, entry->sum.high, entry->sum.low);
        if (rc == 0 && entry->written) rc = bytes_printf(out, "\t%llu\t", (unsigned long long)entry->sum.bytes);
        if (rc == 0 && !entry->written) rc = bytes_printf(out, "-\t-\t");
        if (rc == 0) rc = print_place(out, entry->place);
        if (rc == 0) rc = bytes_append(out, "\n", 1);
    }
    if (rc < 0) return rc;
    sum = XXH3_128bits(out->at, out->len);
    rc = print_hash(out, sum.high64, sum.low64);
    return rc < 0 ? rc : bytes_printf(out, "\t-\t-\n");
}

int manifest_write(const struct manifest *manifest, const char *root, struct err *err)
{
    struct bytes out = { 0 };
    int          rc = print(manifest, &out) < 0 ? err_memory(err, out.len, MANIFEST_FILE)
        : inside_write(root, MANIFEST_FILE, bytes_slice(&out), NULL, err);

    bytes_free(&out);
    return rc;
}

/* ---- reading ---- */

static int hex(char digit)
{
    return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
        : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

static bool read_hash(struct slice text, uint64_t *high, uint64_t *low)
{
    uint64_t word[2] = { 0, 0 };

    for (size_t i = 0; i < text.len && text.len == 32; i++) {
        if (hex(text.at[i]) < 0) return false;
        word[i / 16] = word[i / 16] << 4 | (uint64_t)hex(text.at[i]);
    }
    *high = word[0], *low = word[1];
    return text.len == 32;
}

static bool read_number(struct slice text, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || *out > UINT64_MAX / 10 - 1) return false;
        *out = *out * 10 + (uint64_t)(text.at[i] - '0');
    }
    return text.len > 0;
}

/* What is below the run folder and nowhere else. */
static bool is_place(const char *place)
{
    for (const char *part = place; ; part += strcspn(part, "/") + 1) {
        const size_t len = strcspn(part, "/");

        if (len == 0 || (len == 1 && part[0] == '.') || (len == 2 && part[0] == '.' && part[1] == '.')) return false;
        if (!part[len]) return true;
    }
}

static bool read_place(struct slice text, char out[FILE_NAME_MAX])
{
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (c == '\\') {
            if (text.len - i < 4 || text.at[i + 1] != 'x' || hex(text.at[i + 2]) < 0 || hex(text.at[i + 3]) < 0)
                return false;
            c = (char)(hex(text.at[i + 2]) << 4 | hex(text.at[i + 3]));
            i += 3;
        }
        if (!c || len + 1 >= FILE_NAME_MAX) return false;
        out[len++] = c;
    }
    out[len] = '\0';
    return is_place(out);
}

static struct slice cut(struct slice *line)
{
    const char  *tab = line->len ? memchr(line->at, '\t', line->len) : NULL;
    struct slice field = { line->at, tab ? (size_t)(tab - line->at) : line->len };

    line->at += field.len + (tab != NULL);
    line->len -= field.len + (tab != NULL);
    return field;
}

/* 0; -EBADMSG; -ENOMEM. */
static int read_line(struct manifest *out, struct slice line)
{
    struct slice           hash = cut(&line), bytes = cut(&line);
    struct manifest_entry  entry = { .written = !slice_equal(hash, SLICE("-")) }, *made;
    char                   place[FILE_NAME_MAX];

    if (entry.written && (!read_hash(hash, &entry.sum.high, &entry.sum.low) || !read_number(bytes, &entry.sum.bytes)))
        return -EBADMSG;
    if (!read_place(line, place) || (out->count && strcmp(out->at[out->count - 1].place, place) >= 0)) return -EBADMSG;
    made = manifest_add(out, place);
    if (!made) return -ENOMEM;
    entry.place = made->place;
    *made = entry;
    return 0;
}

static int parse(struct manifest *out, struct slice text, struct err *err)
{
    const struct slice head = SLICE(MANIFEST_HEAD);
    const size_t       foot = 32 + 5;
    struct slice       rest = text;
    uint64_t           high, low;
    XXH128_hash_t      sum;
    int                rc = 0;

    if (text.len < head.len + foot || memcmp(text.at, head.at, head.len) != 0 ||
        memcmp(text.at + text.len - 5, "\t-\t-\n", 5) != 0 ||
        !read_hash((struct slice){ text.at + text.len - foot, 32 }, &high, &low))
        return err_set(err, -EBADMSG, MANIFEST_FILE ": is no manifest, or is cut off");
    rest.len -= foot;
    sum = XXH3_128bits(rest.at, rest.len);
    if (sum.high64 != high || sum.low64 != low)
        return err_set(err, -EBADMSG, MANIFEST_FILE ": its last line is not the hash of the others");
    rest = (struct slice){ rest.at + head.len, rest.len - head.len };
    for (unsigned line = 2; rest.len && rc == 0; line++) {
        const char *end = memchr(rest.at, '\n', rest.len);
        size_t      len = end ? (size_t)(end - rest.at) : rest.len;

        rc = read_line(out, (struct slice){ rest.at, len });
        if (rc == -ENOMEM) err_memory(err, rest.len, MANIFEST_FILE);
        else if (rc < 0) err_set(err, rc, MANIFEST_FILE ": line %u: is no file with its hash and size", line);
        rest = (struct slice){ rest.at + len + (end != NULL), rest.len - len - (end != NULL) };
    }
    return rc;
}

static int read_all(int file, struct bytes *out, struct err *err)
{
    for (;;) {
        ssize_t got;

        if (bytes_reserve(out, out->len + 65536) < 0) return err_memory(err, out->len, MANIFEST_FILE);
        got = file_read(file, out->at + out->len, 65536);
        if (got < 0) return err_set(err, -EIO, MANIFEST_FILE ": %s", strerror(errno));
        if (got == 0) return 0;
        out->len += (size_t)got;
    }
}

int manifest_read(struct manifest *out, const char *root, struct err *err)
{
    struct bytes text = { 0 };
    int          folder = inside_open(root, "", false, err), file, rc = 0;

    *out = (struct manifest){ 0 };
    if (folder == -ENOENT) *err = (struct err){ 0 };
    if (folder < 0) return folder == -ENOENT ? 0 : folder;
    file = file_open_in(folder, MANIFEST_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    close(folder);
    if (file < 0 && errno == ENOENT) return 0;
    if (file < 0)
        return errno == ELOOP ? err_set(err, -EBADMSG, MANIFEST_FILE ": is a symbolic link")
            : err_set(err, -errno, MANIFEST_FILE ": %s", strerror(errno));
    rc = read_all(file, &text, err);
    close(file);
    if (rc == 0) rc = parse(out, bytes_slice(&text), err);
    bytes_free(&text);
    return rc < 0 ? rc : 1;
}
