/* page/clusters.c -- see clusters.h.  {"members": [[dataset, number + 1, name], ...], "size": all members,
 * "pairs": [[a, b, thousandths, 1: exact], ...]}, a and b places among the members. */
#include "page/clusters.h"

#include "graph/ids.h"
#include "graph/read.h"

static int out_of_memory(const struct clusters *clusters, struct err *err)
{
    return err_memory(err, clusters->json.len, "clusters");
}

static int cluster_of(struct clusters *clusters, uint64_t item, uint64_t *cluster, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(clusters->db, &query, "SELECT cluster FROM clusters WHERE snippet = ?1 AND pass = "
                                                           "'near'", err);

    *cluster = 0;
    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)item, err);
    if (rc == 0 && (rc = graph_step(query, err)) == 1) *cluster = graph_number(query, 0);
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* Those that are shown: the item, and the smallest others; *size counts all. */
static int members_add(struct clusters *clusters, uint64_t cluster, uint64_t item, uint64_t *member, size_t *count,
                       uint64_t *size, struct err *err)
{
    static const char sql[] =
        "SELECT m.snippet, s.dataset, ifnull(s.path, s.source_id), (SELECT count(*) FROM clusters WHERE cluster = ?1 "
        "AND "
        "pass = 'near') FROM (SELECT snippet FROM clusters WHERE cluster = ?1 AND pass = 'near' ORDER BY snippet <> "
        "?2, "
        "snippet LIMIT ?3) AS m JOIN snippets AS s ON s.id = m.snippet ORDER BY m.snippet <> ?2, m.snippet";
    sqlite3_stmt *query;
    struct bytes *out = &clusters->json;
    int           rc = graph_prepare(clusters->db, &query, sql, err);

    if (rc == 0) rc = graph_bind_number(query, 1, (int64_t)cluster, err);
    if (rc == 0) rc = graph_bind_number(query, 2, (int64_t)item, err);
    if (rc == 0) rc = graph_bind_number(query, 3, CLUSTER_MEMBERS, err);
    while (rc == 0 && *count < CLUSTER_MEMBERS && (rc = graph_step(query, err)) == 1) {
        const uint64_t id = graph_number(query, 0);

        *size = graph_number(query, 3);
        rc = bytes_printf(out, "%s[%llu,%llu,", *count ? "," : "", (unsigned long long)((id - 1) / GRAPH_ID_STEP),
                          (unsigned long long)((id - 1) % GRAPH_ID_STEP + 1));
        if (rc == 0) rc = items_json_text(graph_text(query, 2), clusters->mask, out);
        if (rc == 0) rc = bytes_append(out, "]", 1);
        if (rc < 0) rc = out_of_memory(clusters, err);
        member[(*count)++] = id;
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

static size_t place_of(const uint64_t *member, size_t count, uint64_t id)
{
    size_t i = 0;

    while (i < count && member[i] != id) i++;
    return i;
}

/* The pairs between those; each begins at its smaller id. */
static int pairs_add(struct clusters *clusters, const uint64_t *member, size_t count, struct err *err)
{
    static const char sql[] = "SELECT b, set_similarity, kind = 'exact' FROM edges WHERE a = ?1 AND b IN (SELECT value "
                              "FROM json_each(?2)) AND pass = 'near' AND kind IN ('exact', 'near') ORDER BY b";
    sqlite3_stmt *query;
    struct bytes *out = &clusters->json, list = { 0 };
    size_t        pairs = 0;
    int           rc = graph_prepare(clusters->db, &query, sql, err);

    for (size_t i = 0; i < count && rc == 0; i++)
        if (bytes_printf(&list, i ? ",%llu" : "[%llu", (unsigned long long)member[i]) < 0)
            rc = out_of_memory(clusters, err);
    if (rc == 0 && bytes_append_slice(&list, count ? SLICE("]") : SLICE("[]")) < 0) rc = out_of_memory(clusters, err);
    for (size_t a = 0; a < count && rc == 0; a++) {
        rc = graph_bind_number(query, 1, (int64_t)member[a], err);
        if (rc == 0) rc = graph_bind_text(query, 2, bytes_slice(&list), err);
        while (rc == 0 && pairs < CLUSTER_PAIRS && (rc = graph_step(query, err)) == 1) {
            const size_t b = place_of(member, count, graph_number(query, 0));

            rc = 0;
            if (b == count) continue;
            rc = bytes_printf(out, "%s[%zu,%zu,%d,%d]", pairs++ ? "," : "", a, b,
                              (int)(1000 * graph_real(query, 1) + 0.5), graph_number(query, 2) != 0);
            if (rc < 0) rc = out_of_memory(clusters, err);
        }
        sqlite3_reset(query);
    }
    graph_finish(query);
    bytes_free(&list);
    return rc < 0 ? rc : 0;
}

int clusters_add(struct clusters *clusters, uint64_t item, int64_t *number, struct err *err)
{
    uint64_t member[CLUSTER_MEMBERS], cluster, size = 0;
    size_t   count = 0;
    uint32_t at;
    bool     added;
    int      rc = cluster_of(clusters, item, &cluster, err);

    *number = -1;
    if (rc < 0 || cluster == 0) return rc;
    at = table_put(&clusters->known, cluster, 0, (uint32_t)clusters->known.count, &added);
    if (at == TABLE_NONE) return out_of_memory(clusters, err);
    *number = at;
    if (!added) return 0;
    if (bytes_printf(&clusters->json, "%s{\"members\":[", clusters->json.len ? ",\n" : "") < 0)
        return out_of_memory(clusters, err);
    rc = members_add(clusters, cluster, item, member, &count, &size, err);
    if (rc == 0 && bytes_printf(&clusters->json, "],\"size\":%llu,\"pairs\":[", (unsigned long long)size) < 0)
        rc = out_of_memory(clusters, err);
    if (rc == 0) rc = pairs_add(clusters, member, count, err);
    return rc == 0 && bytes_append(&clusters->json, "]}", 2) < 0 ? out_of_memory(clusters, err) : rc;
}

void clusters_free(struct clusters *clusters)
{
    table_free(&clusters->known);
    bytes_free(&clusters->json);
}
