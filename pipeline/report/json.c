/* report/json.c -- the document as JSON: sections are objects, tables arrays of objects, prose is left out. */
#include "report/document.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>

/* cJSON reads C strings: document text is copied with a NUL behind it and holds none. */
static cJSON *json_cell(const struct report_cell *cell)
{
    switch (cell->kind) {
    case REPORT_TEXT:
    case REPORT_OUTCOME:
    case REPORT_NAME:    return cJSON_CreateString(cell->text.at);
    case REPORT_ID:
    case REPORT_COUNT:
    case REPORT_BYTES:   return cJSON_CreateNumber((double)cell->number);
    case REPORT_PERCENT:
    case REPORT_NUMBER:
    case REPORT_CHANGE:  return !isfinite(cell->real) ? cJSON_CreateNull() : cJSON_CreateNumber(cell->real);
    case REPORT_SHARE:   return cJSON_CreateNumber(cell->real);
    case REPORT_FLAG:    return cJSON_CreateBool(cell->number != 0);
    case REPORT_ALL:     return cJSON_CreateString("");
    case REPORT_NOTHING: break;
    }
    return cJSON_CreateNull();
}

/* Puts value into an object or array, or frees it. */
static int json_put(cJSON *parent, const char *key, cJSON *value)
{
    if (value && (key ? cJSON_AddItemToObject(parent, key, value) : cJSON_AddItemToArray(parent, value))) return 0;
    cJSON_Delete(value);
    return -ENOMEM;
}

static int json_row(cJSON *object, const struct report_node *table, const struct report_row *row)
{
    int rc = object ? 0 : -ENOMEM;

    for (size_t i = 0; i < table->column_count && rc == 0; i++)
        rc = json_put(object, table->columns[i].key, json_cell(&row->cell[i]));
    return rc;
}

static cJSON *json_finish(cJSON *value, int rc)
{
    if (rc == 0) return value;
    cJSON_Delete(value);
    return NULL;
}

static cJSON *json_node(const struct report_node *node);

static cJSON *json_children(const struct report_node *node)
{
    cJSON *value = node->kind == REPORT_LIST ? cJSON_CreateArray() : cJSON_CreateObject();
    int    rc = value ? 0 : -ENOMEM;

    if (rc == 0 && node->kind == REPORT_SECTION && node->title.len)
        rc = json_put(value, "title", cJSON_CreateString(node->title.at));
    for (const struct report_node *child = node->child; child && rc == 0; child = child->next)
        if (child->kind != REPORT_PARAGRAPH && child->kind != REPORT_WIDGET)
            rc = json_put(value, node->kind == REPORT_LIST ? NULL : child->key, json_node(child));
    return json_finish(value, rc);
}

static cJSON *json_table(const struct report_node *table)
{
    cJSON *value = cJSON_CreateArray();
    int    rc = value ? 0 : -ENOMEM;

    for (const struct report_row *row = table->row; row && rc == 0; row = row->next) {
        cJSON *object = cJSON_CreateObject();

        rc = json_row(object, table, row);
        if (rc == 0) rc = json_put(value, NULL, object);
        else cJSON_Delete(object);
    }
    return json_finish(value, rc);
}

static cJSON *json_facts(const struct report_node *facts)
{
    cJSON *value = cJSON_CreateObject();

    return json_finish(value, facts->row ? json_row(value, facts, facts->row) : value ? 0 : -ENOMEM);
}

static cJSON *json_node(const struct report_node *node)
{
    switch (node->kind) {
    case REPORT_TABLE: return json_table(node);
    case REPORT_FACTS: return json_facts(node);
    case REPORT_CODE:
    case REPORT_WIDGET:
    case REPORT_PARAGRAPH: return cJSON_CreateString(node->text.at);
    case REPORT_SECTION:
    case REPORT_LIST: break;
    }
    return json_children(node);
}

/* With the version of the schema at its end. */
static cJSON *json_document(const struct report_document *document)
{
    cJSON *value = json_node(document->root);

    if (!value || !document->schema) return value;
    return json_finish(value, json_put(value, "schema", cJSON_CreateNumber(document->schema)));
}

int report_json(const struct report_document *document, struct bytes *out)
{
    cJSON *value;
    char  *text;
    int    rc;

    if (document->failed) return -ENOMEM;
    value = json_document(document);
    text = value ? cJSON_Print(value) : NULL;
    rc = text ? bytes_append(out, text, strlen(text)) : -ENOMEM;
    if (rc == 0) rc = bytes_append(out, "\n", 1);
    cJSON_free(text);
    cJSON_Delete(value);
    return rc;
}
