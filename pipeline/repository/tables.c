/* repository/tables.c -- see tables.h. */
#include "repository/tables.h"

#include <stdlib.h>

int graph_add_repositories(struct graph_build *build, const struct repository_result *result, struct err *err)
{
    struct graph_repository      *row = graph_build_own(build, calloc(result->count + 1, sizeof *row));
    struct graph_repository_copy *copy = graph_build_own(build, calloc(result->copy_count + 1, sizeof *copy));

    if (!row || !copy) return err_memory(err, result->count * sizeof *row, "repositories");
    for (size_t i = 0; i < result->count; i++) {
        const struct membership *from = &result->row[i];

        row[i] = (struct graph_repository){ .benchmark = from->benchmark, .corpus = from->corpus,
                                            .repo = repository_name(result->index, from->name),
                                            .documents = from->documents, .files = from->files, .exact = from->exact,
                                                .near = from->near,
                                            .elsewhere = from->elsewhere, .by_name = from->documents > 0,
                                                .by_content = from->by_content };
    }
    for (size_t i = 0; i < result->copy_count; i++) {
        const struct membership_copy *from = &result->copy[i];

        copy[i] = (struct graph_repository_copy){ .benchmark = from->benchmark, .corpus = from->corpus,
                                                  .repo = repository_name(result->index, from->name),
                                                  .other = repository_name(result->index, from->other),
                                                      .exact = from->exact, .near = from->near };
    }
    build->graph.repositories = row, build->graph.repository_count = result->count;
    build->graph.repository_copies = copy, build->graph.repository_copy_count = result->copy_count;
    return 0;
}
