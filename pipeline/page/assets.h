/* page/assets.h -- the page's style and script: files of this folder, which the program holds as they are. */
#ifndef LEAKGRAPH_PAGE_ASSETS_H
#define LEAKGRAPH_PAGE_ASSETS_H

#include "base/slice.h"

struct slice asset_page_css(void);
struct slice asset_page_js(void);
struct slice asset_items_css(void);
struct slice asset_items_js(void);

#endif
