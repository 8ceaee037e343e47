/* model/http_cache.c -- answers of a server, one file each, in folders by the first byte of the key; see http.h. */
#include "model/http.h"

#include "base/file.h"
#include "base/log.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file's head: little-endian, as it lies in memory. */
struct cache_head { char magic[8]; uint64_t len, low, high; };
_Static_assert(sizeof(struct cache_head) == 32, "file format");

static const char cache_magic[8] = "LKANSWR1";

static int cache_path(const struct http_cache *cache, struct unit_key key, char path[FILE_NAME_MAX], struct err *err)
{
    char name[40];

    snprintf(name, sizeof name, "%02x/%014llx%016llx.json", (unsigned)(key.high >> 56),
             (unsigned long long)(key.high << 8 >> 8), (unsigned long long)key.low);
    return file_join(cache->folder, name, path, err);
}

/* The key is hashed with the answer: a file that was given another's name is a damaged one. */
static struct cache_head head_of(struct unit_key key, struct slice answer)
{
    struct cache_head head = { .len = answer.len };
    XXH128_hash_t     hash = XXH3_128bits_withSeed(answer.at, answer.len, key.low ^ key.high);

    memcpy(head.magic, cache_magic, sizeof head.magic);
    head.low = hash.low64;
    head.high = hash.high64;
    return head;
}

/* 1 when the whole file is there as it was written. */
static int cache_read(int file, struct unit_key key, struct bytes *out)
{
    struct cache_head head, wanted;
    struct stat       is;

    out->len = 0;
    if (fstat(file, &is) < 0 || !S_ISREG(is.st_mode) || (size_t)is.st_size < sizeof head ||
        is.st_size > HTTP_ANSWER_MAX + (off_t)sizeof head)
        return 0;
    if (bytes_reserve(out, (size_t)is.st_size) < 0) return -ENOMEM;
    while (out->len < (size_t)is.st_size) {
        ssize_t n = file_read(file, out->at + out->len, (size_t)is.st_size - out->len);

        if (n <= 0) return 0;
        out->len += (size_t)n;
    }
    memcpy(&head, out->at, sizeof head);
    out->len -= sizeof head;
    memmove(out->at, out->at + sizeof head, out->len);
    wanted = head_of(key, bytes_slice(out));
    return !memcmp(&head, &wanted, sizeof head);
}

int http_cache_find(const struct http_cache *cache, struct unit_key key, struct bytes *out, struct err *err)
{
    char path[FILE_NAME_MAX];
    int  file, rc;

    if (!cache->folder) return 0;
    if ((rc = cache_path(cache, key, path, err)) < 0) return rc;
    file = file_open(path, O_RDONLY);
    if (file < 0) {
        if (errno != ENOENT) log_rank_warn("%s: cannot be read (%s); the server is asked again", path, strerror(errno));
        return 0;
    }
    rc = cache_read(file, key, out);
    close(file);
    if (rc == 0) {
        log_rank_warn("%s: a damaged answer, removed; the server is asked again", path);
        unlink(path);
    }
    return rc < 0 ? err_memory(err, HTTP_ANSWER_MAX, "an answer of the cache") : rc;
}

int http_cache_keep(const struct http_cache *cache, struct unit_key key, struct slice answer, struct err *err)
{
    struct cache_head head = head_of(key, answer);
    struct bytes      all = { 0 };
    char              path[FILE_NAME_MAX], folder[FILE_NAME_MAX];
    int               rc;

    if (!cache->folder) return 0;
    if ((rc = cache_path(cache, key, path, err)) < 0 || (rc = file_folder(path, folder, err)) < 0 ||
        (rc = file_make_folder(folder, err)) < 0)
        return rc;
    if (bytes_append(&all, &head, sizeof head) < 0 || bytes_append_slice(&all, answer) < 0)
        rc = err_memory(err, sizeof head + answer.len, "an answer to keep");
    if (rc == 0) rc = file_write(path, bytes_slice(&all), err);
    bytes_free(&all);
    return rc;
}
