/* near/links.c -- see links.h. */
#include "near/links.h"

static uint64_t link_key(const void *record)
{
    const struct near_link *link = record;

    return (uint64_t)link->first << 32 | link->second;
}

static void link_join(void *into, const void *record)
{
    ((struct near_link *)into)->marks |= ((const struct near_link *)record)->marks;
}

struct runs_options links_options(struct stage *stage, uint64_t memory)
{
    return (struct runs_options){ .stage = stage, .name = "links", .size = sizeof(struct near_link), .key = link_key,
                                  .join = link_join, .memory = memory };
}

int links_add(struct runs *runs, const struct near_link *link, struct err *err)
{
    const struct near_link turned = near_link_turned(*link);
    int                    rc = runs_add(runs, link, err);

    return rc < 0 ? rc : runs_add(runs, &turned, err);
}

int links_open(struct links *out, const struct near_result *result, struct err *err)
{
    *out = (struct links){ .result = result };
    return result->links && !result->link ? runs_read(result->links, &out->reader, err) : 0;
}

/* The next link of all is at hand. */
static int links_step(struct links *links, struct err *err)
{
    const struct near_result *result = links->result;
    const void               *record = NULL;
    int                       rc = 1;

    if (links->reader) rc = runs_next(links->reader, &record, err);
    else if (links->next < result->link_count) record = &result->link[links->next++];
    else rc = 0;
    if (rc > 0) memcpy(&links->at, record, sizeof links->at);
    links->is = rc > 0;
    return rc;
}

int links_next(struct links *links, uint32_t c, struct near_link *out, struct err *err)
{
    int rc = links->is ? 1 : links_step(links, err);

    while (rc > 0 && links->at.first < c) rc = links_step(links, err);
    if (rc <= 0 || links->at.first > c) return rc < 0 ? rc : 0;
    *out = links->at;
    links->is = false;
    return 1;
}

void links_close(struct links *links)
{
    runs_reader_close(links->reader);
    *links = (struct links){ 0 };
}
