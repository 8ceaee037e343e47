/* page/assets.c -- see assets.h.  The assembler puts a file into the program's constants; the Makefile knows that this
 * file is made again when one of them changes. */
#include "page/assets.h"

/* `name`, between whose start and end the file's bytes lie. */
#define ASSET(name, file) \
    __asm__(".section .rodata\n" \
            ".global asset_" #name "_start\n.global asset_" #name "_end\n" \
            "asset_" #name "_start:\n.incbin \"" file "\"\nasset_" #name "_end:\n" \
            ".previous\n"); \
    extern const char asset_##name##_start[], asset_##name##_end[]; \
    struct slice asset_##name(void) \
    { \
        return (struct slice){ asset_##name##_start, (size_t)(asset_##name##_end - asset_##name##_start) }; \
    }

ASSET(page_css, "pipeline/page/page.css")
ASSET(page_js, "pipeline/page/page.js")
ASSET(items_css, "pipeline/page/items.css")
ASSET(items_js, "pipeline/page/items.js")
