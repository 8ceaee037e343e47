/* Records of ranks from a stranger's folder: they are refused, or what is said of them is JSON, and lines that no
 * terminal obeys.  Sums are made right, so that what is behind them is reached. */
#include "cmd/status_tell.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_status: %s\n", what);
    abort();
}

static void write_rank(int work, uint32_t rank, struct status_record record)
{
    char name[32], slot[STATUS_SLOT] = { 0 };
    int  file;

    snprintf(name, sizeof name, STATUS_NAME "%u", rank);
    status_seal(&record);
    memcpy(slot, &record, sizeof record);
    file = openat(work, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(file >= 0 && pwrite(file, slot, sizeof slot, 0) == (ssize_t)sizeof slot, "no file");
    close(file);
}

static void check(const char *dir)
{
    struct found found;
    struct bytes text = { 0 }, json = { 0 };
    struct err   err = { 0 };
    cJSON       *value;

    require(status_find(dir, &found, &err) == 0, err.text);
    require(status_text(dir, &found, &text) == 0 && status_json(dir, &found, &json) == 0, "no memory");
    for (size_t i = 0; i < text.len; i++)
        require(text.at[i] == '\n' || (unsigned char)text.at[i] >= ' ', "a control character");
    value = cJSON_ParseWithLength(json.at, json.len);
    require(value != NULL && json.at[json.len - 1] == '\n', "no JSON");
    require(memchr(json.at, '\n', json.len) == json.at + json.len - 1, "more than a line of JSON");
    cJSON_Delete(value);
    bytes_free(&text);
    bytes_free(&json);
    found_free(&found);
}

/* The first bytes are rank 0's record, the next rank 1's; what is missing is zeros. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char                 dir[] = "/tmp/leakgraph-fuzz-XXXXXX", path[64];
    struct status_record record[2] = { 0 };
    int                  work;

    memcpy(record, data, size < sizeof record ? size : sizeof record);
    record[0].rank = 0;
    record[0].ranks &= 7;                                   /* each is a file that is looked for */
    record[0].written &= INT64_MAX >> 12;
    require(gethostname(record[0].host, sizeof record[0].host - 1) == 0, "no host");
    require(mkdtemp(dir) != NULL, "no folder");
    snprintf(path, sizeof path, "%s/work", dir);
    require(mkdir(path, 0700) == 0, "no folder");
    work = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    require(work >= 0, "no folder");
    for (uint32_t r = 0; r < 2; r++) write_rank(work, r, record[r]);
    check(dir);
    unlinkat(work, STATUS_NAME "0", 0);
    unlinkat(work, STATUS_NAME "1", 0);
    close(work);
    rmdir(path);
    rmdir(dir);
    return 0;
}
