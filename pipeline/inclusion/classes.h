/* inclusion/classes.h -- repositories told by classes of clones, as the published code tells them (Majdinasab et al.
 * 2024, section V; docs/definitions.md, "Inclusion").
 *
 * A function has two files, one with what stands there and one with what the model wrote; both are compared with those
 * of all repositories of a sample: the one that is asked about, and a tenth of all, drawn at random.  Clones of type 2,
 * and of type 3 up to NiCad's dissimilarity, closed under "is a clone of", are a class. */
#ifndef LEAKGRAPH_INCLUSION_CLASSES_H
#define LEAKGRAPH_INCLUSION_CLASSES_H

#include "inclusion/second.h"

/* NiCad compares fragments of so many lines at least; a tenth of the repositories are drawn. */
enum { CLASS_LINES = 10, CLASS_SHARE = 10 };

/* A file that is compared: REPO/STEM/func_num_N_original_FILE, or _generated_; its repository by number. */
struct class_member { struct slice name; uint32_t repository; struct second of; };

/* Does a class with these names tell that a repository was trained on?  Where a name contains the repository's, and
 * names, of whatever repository, contain `original` and `generated`. */
bool class_tells(const struct slice *name, size_t count, struct slice repository);

/* told[r]: whether a class among the members of the sample of repository r tells it.
 *   repository  [count] names, in the order of the numbers
 * The same for every order of threads and ranks.  0, or -ENOMEM with err set. */
int classes_tell(const struct class_member *member, size_t members, const struct slice *repository, size_t count,
                 uint64_t seed, bool *told, struct err *err);

#endif
