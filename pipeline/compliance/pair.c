/* compliance/pair.c -- see pair.h. */
#include "compliance/pair.h"

#include "compliance/extraction.h"
#include "licence/licence.h"
#include "model/json_nul.h"

#include <cjson/cJSON.h>
#include <errno.h>

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

/* A list of licences becomes the expression that it says, or a text as it is written.  0 or -ENOMEM. */
static int licences_print(cJSON *tree, const char *name)
{
    cJSON         *value = cJSON_GetObjectItemCaseSensitive(tree, name), *text;
    struct licence licence = { .expression = "" };
    char          *printed;

    if (!cJSON_IsArray(value)) return 0;
    printed = cJSON_PrintUnformatted(value);
    if (printed) licence_of_field(&licence, slice_of(printed));
    text = printed ? cJSON_CreateString(*licence.expression ? licence.expression : printed) : NULL;
    cJSON_free(printed);
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
    if (tree && licences_print(tree, "licence") < 0) {
        pair_free(out);
        return err_memory(err, line.len, "a line of JSON");
    }
    if (!cJSON_IsObject(tree)) *why = "is no JSON object";
    else if (json_has_nul(line)) *why = "has a NUL, at which texts would end";
    else if (!reference && !field_take(tree, "reference", "body", &out->reference)) *why = "`reference` is no string";
    else if (!field_take(tree, "prompt", "header", &out->prompt)) *why = "`prompt` is no string";
    else if (!field_take(tree, "signature", NULL, &out->signature)) *why = "`signature` is no string";
    else if (!field_take(tree, "licence", NULL, &out->licence)) *why = "`licence` is no string";
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
