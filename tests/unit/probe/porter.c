/* tests/unit/probe/porter.c -- stems as NLTK's Porter stemmer gives them: the published examples of every rule, the
 * extensions, and words of programs. */
#include "probe/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const struct { const char *word, *stem; } words[] = {
    { "caresses", "caress" }, { "ponies", "poni" }, { "ties", "tie" }, { "caress", "caress" }, { "cats", "cat" },
    { "dies", "die" },
    { "flies", "fli" }, { "skies", "sky" }, { "feed", "feed" }, { "agreed", "agre" }, { "plastered", "plaster" },
    { "bled", "bled" },
    { "motoring", "motor" }, { "sing", "sing" }, { "died", "die" }, { "spied", "spi" }, { "lied", "lie" },
    { "conflated", "conflat" },
    { "troubled", "troubl" }, { "sized", "size" }, { "hopping", "hop" }, { "tanned", "tan" }, { "falling", "fall" },
    { "hissing", "hiss" },
    { "fizzed", "fizz" }, { "failing", "fail" }, { "filing", "file" }, { "happy", "happi" }, { "sky", "sky" },
    { "enjoy", "enjoy" },
    { "spy", "spi" }, { "say", "say" }, { "cry", "cri" }, { "relational", "relat" }, { "conditional", "condit" },
    { "rational", "ration" },
    { "valenci", "valenc" }, { "hesitanci", "hesit" }, { "digitizer", "digit" }, { "conformabli", "conform" },
    { "radicalli", "radic" },
    { "differentli", "differ" }, { "vileli", "vile" }, { "analogousli", "analog" }, { "vietnamization", "vietnam" },
    { "predication", "predic" },
    { "operator", "oper" }, { "feudalism", "feudal" }, { "decisiveness", "decis" }, { "hopefulness", "hope" },
    { "callousness", "callous" },
    { "formaliti", "formal" }, { "sensitiviti", "sensit" }, { "sensibiliti", "sensibl" }, { "triplicate", "triplic" },
    { "formative", "form" },
    { "formalize", "formal" }, { "electriciti", "electr" }, { "electrical", "electr" }, { "hopeful", "hope" },
    { "goodness", "good" },
    { "revival", "reviv" }, { "allowance", "allow" }, { "inference", "infer" }, { "airliner", "airlin" },
    { "gyroscopic", "gyroscop" },
    { "adjustable", "adjust" }, { "defensible", "defens" }, { "irritant", "irrit" }, { "replacement", "replac" },
    { "adjustment", "adjust" },
    { "dependent", "depend" }, { "adoption", "adopt" }, { "homologou", "homolog" }, { "communism", "commun" },
    { "activate", "activ" },
    { "angulariti", "angular" }, { "homologous", "homolog" }, { "effective", "effect" }, { "bowdlerize", "bowdler" },
    { "probate", "probat" },
    { "rate", "rate" }, { "cease", "ceas" }, { "controll", "control" }, { "roll", "roll" },
    { "generalizations", "gener" },
    { "oscillators", "oscil" }, { "dying", "die" }, { "lying", "lie" }, { "tying", "tie" }, { "news", "news" },
    { "innings", "inning" },
    { "inning", "inning" }, { "outings", "outing" }, { "cannings", "canning" }, { "canning", "canning" },
    { "howe", "howe" },
    { "proceed", "proceed" }, { "exceed", "exceed" }, { "succeed", "succeed" }, { "apologi", "apolog" },
    { "logi", "logi" },
    { "archaeologi", "archaeolog" }, { "apology", "apolog" }, { "bibliographically", "bibliograph" },
    { "hopefulli", "hope" }, { "fulli", "fulli" },
    { "joyfulli", "joy" }, { "casualli", "casual" }, { "finalli", "final" }, { "really", "realli" },
    { "totally", "total" }, { "alli", "alli" },
    { "ally", "alli" }, { "ying", "ying" }, { "yyyy", "yyyi" }, { "ysy", "ysi" }, { "tyyed", "ty" },
    { "syzygy", "syzygi" }, { "queue", "queue" },
    { "beauty", "beauti" }, { "eyed", "eye" }, { "obeyed", "obey" }, { "played", "play" }, { "playing", "play" },
    { "string", "string" },
    { "strings", "string" }, { "running", "run" }, { "runs", "run" }, { "ran", "ran" }, { "agreeing", "agre" },
    { "freeing", "free" },
    { "being", "be" }, { "seeing", "see" }, { "fixing", "fix" }, { "boxed", "box" }, { "boxing", "box" },
    { "snowed", "snow" },
    { "snowing", "snow" }, { "tried", "tri" }, { "trying", "tri" }, { "cried", "cri" }, { "crying", "cri" },
    { "dried", "dri" },
    { "studies", "studi" }, { "studied", "studi" }, { "studying", "studi" }, { "university", "univers" },
    { "universe", "univers" },
    { "universal", "univers" }, { "organization", "organ" }, { "organize", "organ" }, { "organs", "organ" },
    { "generate", "gener" },
    { "generations", "gener" }, { "nationally", "nation" }, { "national", "nation" }, { "traditional", "tradit" },
    { "usefulness", "use" },
    { "predictability", "predict" }, { "possibly", "possibl" }, { "incredibly", "incred" }, { "visibly", "visibl" },
    { "ably", "abli" },
    { "ible", "ibl" }, { "able", "abl" }, { "table", "tabl" }, { "tables", "tabl" }, { "abilities", "abil" },
    { "ability", "abil" },
    { "capabilities", "capabl" }, { "iing", "i" }, { "aed", "a" }, { "oed", "o" }, { "bing", "bing" }, { "bed", "bed" },
    { "red", "red" },
    { "reed", "reed" }, { "owed", "owe" }, { "need", "need" }, { "needed", "need" }, { "speed", "speed" },
    { "speeding", "speed" },
    { "exceeding", "exceed" }, { "abcd123", "abcd123" }, { "x2y", "x2i" }, { "123s", "123" }, { "1990s", "1990" },
    { "hexadecimals", "hexadecim" },
    { "buffers", "buffer" }, { "allocators", "alloc" }, { "dereferencing", "dereferenc" }, { "mutexes", "mutex" },
    { "caches", "cach" },
    { "parses", "pars" }, { "parsing", "pars" }, { "parsed", "pars" }, { "parser", "parser" }, { "parsers", "parser" },
    { "indices", "indic" },
    { "matrices", "matric" }, { "vertices", "vertic" }, { "classes", "class" }, { "processes", "process" },
    { "processing", "process" },
    { "process", "process" }, { "passes", "pass" }, { "passing", "pass" }, { "initialized", "initi" },
    { "initialization", "initi" },
    { "initializer", "initi" }, { "serializable", "serializ" }, { "iteration", "iter" }, { "iterating", "iter" },
    { "iterators", "iter" },
    { "recursively", "recurs" }, { "recursive", "recurs" }, { "was", "wa" }, { "his", "hi" }, { "hers", "her" },
    { "ies", "i" }, { "lies", "lie" },
    { "vies", "vie" }, { "sties", "sti" }, { "eed", "eed" }, { "teed", "teed" }, { "ing", "ing" }, { "ingly", "ingli" },
    { "edly", "edli" },
    { "sss", "sss" }, { "aids", "aid" }, { "bus", "bu" }, { "buses", "buse" }, { "gas", "ga" }, { "gases", "gase" },
    { "yes", "ye" },
    { "ayes", "aye" }, { "hay", "hay" }, { "hays", "hay" }, { "tly", "tli" }, { "elly", "elli" }, { "illy", "illi" },
    { "elli", "elli" },
    { "oli", "oli" }, { "olli", "olli" },
};

static void test_stems(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char   word[64];
        size_t len = strlen(words[i].word);

        memcpy(word, words[i].word, len + 1);
        word[porter_stem(word, len)] = '\0';
        if (strcmp(word, words[i].stem) != 0) fail_msg("%s: %s, not %s", words[i].word, word, words[i].stem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_stems) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
