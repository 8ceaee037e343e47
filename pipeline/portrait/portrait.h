/* portrait/portrait.h -- a portrait of a corpus: a Bloom filter that says of any text which pieces of it are there.
 *
 * Source: Marone & Van Durme, Data Portraits: Recording Foundation Model Training Data, 2023 (arXiv 2303.03919).
 * Pieces are taken from the corpus every `stride` characters or words and looked up at every offset of a text, so that
 * a passage of width + stride - 1 of them is found wherever it starts.  What was put in is always found; what was not
 * is found with the false-positive rate that the file states.
 *
 * The file NAME.portrait, little endian: a head of struct portrait_head, its shards and their names, zeros up to a
 * multiple of 4,096, then `blocks` blocks of 4,096 bytes.  A piece is a 64-bit hash; its high bits choose the block,
 * further hashes of it `hashes` bits in there, so a lookup touches one page and ranks can fill ranges of blocks on
 * their own.  Nothing in the file depends on ranks, threads or time. */
#ifndef LEAKGRAPH_PORTRAIT_PORTRAIT_H
#define LEAKGRAPH_PORTRAIT_PORTRAIT_H

#include "base/comm.h"
#include "base/ratio.h"
#include "base/stage.h"
#include "pass/pass.h"
#include "pass/run.h"

enum portrait_kind { PORTRAIT_WINDOWS, PORTRAIT_NGRAMS, PORTRAIT_LINES, PORTRAIT_CONTENT, PORTRAIT_KINDS };
/* "windows", "ngrams", "lines", "content" */
extern const char *const portrait_kind_names[PORTRAIT_KINDS];

/* How a text is cut.  windows: characters; ngrams: words, runs of letters, digits, `_` and bytes beyond ASCII; lines
 * without the white space at their ends, empty ones left out; content: the whole text, as it is and without its white
 * space (width and stride 1). */
struct portrait_scheme { uint32_t kind, width, stride; };

struct portrait_options {
    struct portrait_scheme scheme;
    struct ratio           fp;                              /* false-positive rate that decides the size */
    uint64_t               size;                            /* bytes of the filter; 0: as fp asks for */
    /* of the file; path of a portrait that it adds to, "" : none.  Owned by the configuration */
    char                  *name, *extends;
};

/* ---- pieces of a text ---- */

/* bytes [at, end) of the text; of content the second is the one without white space */
struct portrait_piece { uint64_t key, at, end; };
struct portrait_pieces { struct portrait_piece *at; size_t count, room; struct bytes scratch; };

/* Cuts a text: those that go into a portrait, or (every) those at every offset.  0, or -ENOMEM with err set. */
int  portrait_cut(const struct portrait_scheme *scheme, struct slice text, bool every, struct portrait_pieces *out,
                  struct err *err);
void portrait_pieces_free(struct portrait_pieces *pieces);

/* ---- the file ---- */

enum { PORTRAIT_VERSION = 1, PORTRAIT_BLOCK = 4096, PORTRAIT_HASHES_MAX = 30, PORTRAIT_WIDTH_MAX = 10000 };

struct portrait_head {
    char            magic[8];                               /* "LKGPORT" and NUL */
    uint32_t        version, order;                         /* order reads 0x01020304 */
    uint32_t        kind, width, stride, hashes;
    uint64_t        blocks, insertions, documents, text_bytes;
    uint64_t        set_bits;                               /* of all blocks */
    /* random keys that were looked up, and those that were found */
    uint64_t        probes, probe_hits;
    double          computed;                               /* false-positive rate from the fill of every block */
    struct unit_key made_of;                                /* of everything that the file depends on */
    uint64_t        shards, names_bytes;
    uint64_t        bits_xxh3;
    uint64_t        head_xxh3;                              /* of everything before the first block, this field 0 */
};
_Static_assert(sizeof(struct portrait_head) == 144, "file format");

/* A shard that is in the portrait; its dataset and name are in the names.  xxh3 is that of the file as it lies on disk.
 */
struct portrait_shard {
    uint64_t xxh3, bytes, documents, insertions;
    uint32_t dataset_at, dataset_len, name_at, name_len;
};
_Static_assert(sizeof(struct portrait_shard) == 48, "file format");

struct portrait {
    struct portrait_head         head;
    const struct portrait_shard *shard;
    const char                  *names;
    const unsigned char         *bits;
    void                        *map;
    size_t                       bytes;
};

/* Maps a portrait and checks all of it.  0; -ENOENT, -EIO, -EBADMSG (no portrait, or a damaged one: the byte is named),
 * -ENOMEM with err set. */
int  portrait_open(struct portrait *out, const char *path, struct err *err);
void portrait_close(struct portrait *portrait);             /* accepts a zeroed one */
bool portrait_is_file(const char *path);                    /* does it begin as one? */

static inline struct slice portrait_name(const struct portrait *portrait, uint32_t at, uint32_t len)
{
    return (struct slice){ portrait->names + at, len };
}

/* ---- bits ---- */

static inline uint64_t portrait_mix(uint64_t x)             /* the finalizer of splitmix64 */
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline uint64_t portrait_block(uint64_t key, uint64_t blocks)
{
    return (uint64_t)((unsigned __int128)key * blocks >> 64);
}

/* The i-th bit of a key in its block; *drawn is the call's own, four numbers of 15 bits are drawn at a time. */
static inline uint32_t portrait_bit(uint64_t key, uint32_t i, uint64_t *drawn)
{
    uint32_t bit;

    if (i % 4 == 0) *drawn = portrait_mix(key + (i / 4 + 1) * 0x9e3779b97f4a7c15u);
    bit = *drawn & (8 * PORTRAIT_BLOCK - 1);
    *drawn >>= 15;
    return bit;
}

static inline void portrait_put(unsigned char *block, uint32_t hashes, uint64_t key)
{
    uint64_t drawn = 0;

    for (uint32_t i = 0; i < hashes; i++) {
        uint32_t bit = portrait_bit(key, i, &drawn);

        block[bit / 8] |= (unsigned char)(1u << bit % 8);
    }
}

static inline bool portrait_has(const unsigned char *bits, uint64_t blocks, uint32_t hashes, uint64_t key)
{
    const unsigned char *block = bits + portrait_block(key, blocks) * PORTRAIT_BLOCK;
    uint64_t             drawn = 0;

    for (uint32_t i = 0; i < hashes; i++) {
        uint32_t bit = portrait_bit(key, i, &drawn);

        if (!(block[bit / 8] >> bit % 8 & 1)) return false;
    }
    return true;
}

/* Blocks and hashes for so many insertions: what fp asks for, or (size) the best of a given size. */
void portrait_shape(const struct portrait_options *options, uint64_t insertions, uint64_t *blocks, uint32_t *hashes);

/* Fills in set_bits, computed, probes, probe_hits and bits_xxh3 of a head whose hashes and blocks are there. */
void portrait_measure(struct portrait_head *head, const unsigned char *bits);

/* ---- looking up ---- */

/* What a portrait has of a text, counted in characters (windows), words (n-grams), lines, or 1 (content).  Spans are
 * runs of pieces found that touch or overlap: alone, a piece is there by chance as often as the false-positive rate
 * says, in a row hardly ever. */
struct portrait_found {
    uint64_t pieces, found;                                 /* looked up, found */
    /* of the text (0: shorter than a piece), and in pieces found */
    uint64_t units, covered;
    /* units of the longest span, the first of equals; 0: none */
    uint64_t longest;
    uint64_t at, end, line;                                 /* its bytes, and its first line from 1 */
    /* content: the text as it is, and without its white space */
    bool     exact, squeezed;
};

/* pieces is scratch.  0, or -ENOMEM with err set. */
int portrait_look_up(const struct portrait *portrait, struct slice text, struct portrait_pieces *pieces,
                     struct portrait_found *out, struct err *err);

/* ---- making ---- */

struct portrait_job {
    const struct run *run;
    const bool                    *member;                  /* [datasets] of which a portrait is made */
    const struct portrait_options *options;
    struct portrait_head           head;                    /* out */
    double                         seconds;                 /* out: of portrait_make */
};

/* The scanner that makes units of keys: in each part's PART_VALUES, ascending and distinct. */
struct pass_scanner portrait_scanner(const struct portrait_job *job);

/* After the pass: writes output/NAME.portrait from the units.  Collective; resumes.  -EINVAL: a shard's content is
 * there twice, or `extends` is of another scheme; and what reading and writing give, with err set. */
int portrait_make(struct portrait_job *job, struct err *err);

#endif
