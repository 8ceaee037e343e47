/* compliance/pair.c -- see pair.h. */
#include "compliance/pair.h"

#include "compliance/extraction.h"
#include "licence/licence.h"
#include "model/json_nul.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>

/* The first of two names; false where it is there and no string. */
static bool field_take(const cJSON *tree, const char *name, const char *other, struct slice *out)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(tree, name);

    if (!value && other) value = cJSON_GetObjectItemCaseSensitive(tree, other);
    *out = SLICE("");
    if (!value || cJSON_IsNull(value)) return true;
    if (!cJSON_IsString(value)) return false;
    *out = slice_of(value->valuestring);
    return true;
}

/* The number that a member of the object is, in the bytes of the line: a double has not all digits of an id.  The line
 * is JSON. */
static struct slice number_of(const cJSON *tree, const cJSON *value, struct slice line)
{
    size_t members = 0, depth = 0, at = 0, end;

    for (const cJSON *before = tree->child; before != value; before = before->next) members++;
    for (; at < line.len; at++) {
        const char c = line.at[at];

        if (c == '"')
            for (at++; at < line.len && line.at[at] != '"'; at++) at += line.at[at] == '\\';
        else if (c == '{' || c == '[') depth++;
        else if (c == '}' || c == ']') depth--;
        else if (depth == 1 && c == ',') members--;
        else if (depth == 1 && c == ':' && members == 0) break;
    }
    for (at++; at < line.len && (unsigned char)line.at[at] <= ' ';) at++;
    for (end = at; end < line.len && strchr("0123456789+-.eE", line.at[end]);) end++;
    return at < end ? (struct slice){ line.at + at, end - at } : SLICE("");
}

/* A field of that type becomes a text: as it is written; a list of licences the expression that it says, if it does.
 * 0 or -ENOMEM. */
static int field_print(cJSON *tree, struct slice line, const char *name, int type)
{
    cJSON         *value = cJSON_GetObjectItemCaseSensitive(tree, name), *text;
    struct licence licence = { .expression = "" };
    struct slice   number;
    char          *printed;

    if (!value || (value->type & 0xff) != type) return 0;
    if (type == cJSON_Number) {
        number = number_of(tree, value, line);
        printed = strndup(number.at, number.len);
    } else printed = cJSON_PrintUnformatted(value);
    if (printed && type == cJSON_Array) licence_of_field(&licence, slice_of(printed));
    text = printed ? cJSON_CreateString(*licence.expression ? licence.expression : printed) : NULL;
    free(printed);
    if (text && cJSON_ReplaceItemInObjectCaseSensitive(tree, name, text)) return 0;
    cJSON_Delete(text);
    return -ENOMEM;
}

void pair_free(struct pair *pair)
{
    cJSON_Delete(pair->tree);
    pair->tree = NULL;
}

int pair_parse(struct pair *out, struct slice line, const struct slice *reference, const char **why, struct err *err)
{
    cJSON       *tree = cJSON_ParseWithLength(line.at, line.len);
    const cJSON *answer;
    struct slice generated;

    *out = (struct pair){ .tree = tree };
    *why = NULL;
    if (tree && (field_print(tree, line, "id", cJSON_Number) < 0 ||
                 field_print(tree, line, "license", cJSON_Array) < 0 ||
                 field_print(tree, line, "licence", cJSON_Array) < 0)) {
        pair_free(out);
        return err_memory(err, line.len, "a line of JSON");
    }
    if (!cJSON_IsObject(tree)) *why = "is no JSON object";
    else if (json_has_nul(line)) *why = "has a NUL, at which texts would end";
    else if (!field_take(tree, "id", NULL, &out->id)) *why = "`id` is no string";
    else if (!reference && !field_take(tree, "reference", "body", &out->reference)) *why = "`reference` is no string";
    else if (!field_take(tree, "prompt", "header", &out->prompt)) *why = "`prompt` is no string";
    else if (!field_take(tree, "signature", NULL, &out->signature)) *why = "`signature` is no string";
    else if (!field_take(tree, "license", "licence", &out->license)) *why = "`license` is no string";
    else if (!field_take(tree, "reply", NULL, &out->reply)) *why = "`reply` is no string";
    else if (!field_take(tree, "answer", NULL, &out->answer)) *why = "`answer` is no string";
    else if (!field_take(tree, "generated", "generated_text", &generated)) *why = "`generated` is no string";
    else if (!(reference ? *reference : out->reference).len) *why = "has no `reference`";
    if (*why) {
        pair_free(out);
        return 0;
    }
    if (reference) out->reference = *reference;
    answer = cJSON_GetObjectItemCaseSensitive(tree, "answer");
    if (!answer || cJSON_IsNull(answer)) out->answer = extraction_answer(generated, out->signature);
    return 1;
}
