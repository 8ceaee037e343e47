/* learn/tree.c -- trees that are grown: what they answer, and their JSON; see tree.h. */
#include "learn/tree.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NODES_MAX = 1 << 28 };

double learn_tree_value(const struct learn_tree *t, const double *row)
{
    const struct tree_node *n = t->node;

    while (n->column >= 0) n = t->node + (row[n->column] <= n->threshold ? n->left : n->right);
    return n->value;
}

void learn_tree_add_gains(const struct learn_tree *t, double *gain)
{
    const double whole = t->node[0].weight;

    if (!(whole > 0)) return;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->node[i].column >= 0) gain[t->node[i].column] += t->node[i].gain / whole;
}

void learn_tree_free(struct learn_tree *t)
{
    free(t->node);
    *t = (struct learn_tree){ 0 };
}

/* ---- JSON ---- */

/* The members of a node, in the order of the file; the first four are integers. */
enum member { COLUMN, LEFT, RIGHT, ROWS, THRESHOLD, VALUE, GAIN, WEIGHT, MEMBERS };

static const char *const member_name[MEMBERS] = { "column", "left", "right", "rows",
                                                  "threshold", "value", "gain", "weight" };

static double member_get(const struct tree_node *n, enum member member)
{
    switch (member) {
    case COLUMN:    return n->column;
    case LEFT:      return n->left;
    case RIGHT:     return n->right;
    case ROWS:      return n->rows;
    case THRESHOLD: return n->threshold;
    case VALUE:     return n->value;
    case GAIN:      return n->gain;
    default:        return n->weight;
    }
}

/* Integers are within their type here. */
static void member_put(struct tree_node *n, enum member member, double value)
{
    switch (member) {
    case COLUMN:    n->column = (int32_t)value; break;
    case LEFT:      n->left = (uint32_t)value; break;
    case RIGHT:     n->right = (uint32_t)value; break;
    case ROWS:      n->rows = (uint32_t)value; break;
    case THRESHOLD: n->threshold = value; break;
    case VALUE:     n->value = value; break;
    case GAIN:      n->gain = value; break;
    default:        n->weight = value; break;
    }
}

int learn_tree_json(const struct learn_tree *t, struct bytes *out)
{
    int rc = bytes_append(out, "{", 1);

    for (enum member m = 0; m < MEMBERS && rc == 0; m++) {
        rc = bytes_printf(out, "%s\"%s\":[", m ? "," : "", member_name[m]);
        for (uint32_t i = 0; i < t->count && rc == 0; i++)
            rc = bytes_printf(out, "%s%.17g", i ? "," : "", member_get(t->node + i, m));
        if (rc == 0) rc = bytes_append(out, "]", 1);
    }
    return rc ? rc : bytes_append(out, "}", 1);
}

/* One list of as many numbers as the tree has nodes. */
static int member_parse(const cJSON *json, enum member member, size_t columns, struct learn_tree *out, struct err *err)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, member_name[member]), *item;
    const double low = member == COLUMN ? -1 : 0, high = member == COLUMN ? (double)columns - 1 : UINT32_MAX;
    uint32_t     i = 0;

    if (!cJSON_IsArray(list)) return err_set(err, -EBADMSG, "a tree has no list `%s'", member_name[member]);
    cJSON_ArrayForEach(item, list) {
        if (i == out->count) return err_set(err, -EBADMSG, "lists of a tree have different lengths");
        if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
            return err_set(err, -EBADMSG, "node %u: `%s' is no finite number", i, member_name[member]);
        if (member <= ROWS && (item->valuedouble != floor(item->valuedouble) || item->valuedouble < low ||
                               item->valuedouble > high))
            return err_set(err, -EBADMSG, "node %u: `%s' is %g", i, member_name[member], item->valuedouble);
        member_put(out->node + i++, member, item->valuedouble);
    }
    return i == out->count ? 0 : err_set(err, -EBADMSG, "lists of a tree have different lengths");
}

/* Children stand behind their parent, and each node but the root is the child of one: so every walk ends in a leaf. */
static int check_shape(const struct learn_tree *t, struct err *err)
{
    uint8_t *seen = calloc(t->count, 1);
    int      rc = seen ? 0 : err_memory(err, t->count, "nodes of a tree");

    for (uint32_t i = 0; i < t->count && rc == 0; i++) {
        const struct tree_node *n = t->node + i;

        if (i > 0 && !seen[i]) rc = err_set(err, -EBADMSG, "node %u: nothing leads to it", i);
        else if (n->column < 0) continue;
        else if (n->left <= i || n->right <= i || n->left >= t->count || n->right >= t->count)
            rc = err_set(err, -EBADMSG, "node %u: its children are %u and %u", i, n->left, n->right);
        else if (n->left == n->right || seen[n->left] || seen[n->right])
            rc = err_set(err, -EBADMSG, "node %u: a child has two parents", i);
        else seen[n->left] = seen[n->right] = 1;
    }
    free(seen);
    return rc;
}

int learn_tree_parse(const cJSON *json, size_t columns, struct learn_tree *out, struct err *err)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, member_name[COLUMN]);
    const int    count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    int          rc = 0;

    *out = (struct learn_tree){ 0 };
    if (count <= 0 || count > NODES_MAX) return err_set(err, -EBADMSG, "a tree without nodes, or with too many");
    out->node = calloc((size_t)count, sizeof *out->node);
    if (!out->node) return err_memory(err, (size_t)count * sizeof *out->node, "a tree");
    out->count = (uint32_t)count;
    for (enum member m = 0; m < MEMBERS && rc == 0; m++) rc = member_parse(json, m, columns, out, err);
    if (rc == 0) rc = check_shape(out, err);
    if (rc < 0) learn_tree_free(out);
    return rc;
}

/* ---- the trees of a model ---- */

int learn_trees_json(const struct learn_tree *t, uint32_t count, struct bytes *out)
{
    int rc = bytes_printf(out, "\"trees\":[\n");

    for (uint32_t i = 0; i < count && rc == 0; i++) {
        rc = learn_tree_json(t + i, out);
        if (rc == 0) rc = bytes_printf(out, i + 1 < count ? ",\n" : "\n]");
    }
    return rc;
}

int learn_trees_parse(const cJSON *json, size_t columns, struct learn_tree **out, uint32_t *count, struct err *err)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "trees"), *item;
    const int    wanted = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    int          rc = 0;

    *out = NULL, *count = 0;
    if (wanted <= 0 || wanted > TREES_MAX) return err_set(err, -EBADMSG, "`trees' is no list of trees");
    *out = calloc((size_t)wanted, sizeof **out);
    if (!*out) return err_memory(err, (size_t)wanted * sizeof **out, "trees");
    cJSON_ArrayForEach(item, list) {
        rc = learn_tree_parse(item, columns, *out + *count, err);
        if (rc < 0) break;
        ++*count;
    }
    if (rc == 0) return 0;
    err_add(err, "tree %u", *count);
    learn_trees_free(*out, *count);
    *out = NULL, *count = 0;
    return rc;
}

void learn_trees_free(struct learn_tree *t, uint32_t count)
{
    for (uint32_t i = 0; t && i < count; i++) learn_tree_free(t + i);
    free(t);
}
