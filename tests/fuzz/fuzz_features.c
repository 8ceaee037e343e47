/* CSV of feature rows from a stranger: whatever is read has numbers in their bounds, and is read again, bit by bit,
 * from what is printed of it. */
#include "audit/feature.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_features: %s\n", what);
    abort();
}

static void check_row(const struct audit_feature *row)
{
    require(*row->file != 0 && row->label >= -1 && row->label <= 1, "file or label");
    require(!row->repository || *row->repository, "an empty repository");
    for (int c = 0; c < AUDIT_CATEGORIES; c++) {
        require(row->hits[c] >= 0 && row->hits[c] <= 1, "hits");
        require(isnan(row->total[c]) || (row->total[c] >= 0 && row->total[c] == floor(row->total[c])), "total");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice    text = { (const char *)data, size };
    struct audit_features f = { 0 }, again = { 0 };
    struct bytes          printed = { 0 }, twice = { 0 };
    struct err            err = { 0 };
    const int             rc = audit_features_parse(&f, "f", text, &err);
    const bool            totals = audit_features_have_totals(&f);

    require(rc == 0 || (rc == -EBADMSG && err.code == rc && strncmp(err.text, "f:", 2) == 0), "a failure without text");
    for (size_t i = 0; i < f.count; i++) check_row(&f.row[i]);
    require(audit_features_print(&f, totals, &printed) == 0, "no memory");
    require(audit_features_parse(&again, "again", bytes_slice(&printed), &err) == 0, "does not read back");
    require(again.count == f.count, "other rows");
    for (size_t i = 0; i < f.count; i++) {
        require(memcmp(f.row[i].hits, again.row[i].hits, sizeof f.row[i].hits) == 0, "other hits");
        require(strcmp(f.row[i].file, again.row[i].file) == 0 && f.row[i].label == again.row[i].label, "another file");
    }
    require(audit_features_print(&again, totals, &twice) == 0, "no memory");
    require(slice_equal(bytes_slice(&printed), bytes_slice(&twice)), "prints differently");
    bytes_free(&printed);
    bytes_free(&twice);
    audit_features_free(&f);
    audit_features_free(&again);
    return 0;
}
