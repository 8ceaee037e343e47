/* items.js -- the explorer of items: sorts, filters and searches every item that a rule found, and shows it beside its
 * best match.  What it shows is text, never markup: nodes are made one by one and texts put into them. */
"use strict";
(function () {
    const PAGE = 50;                                        /* rows at a time */

    /* ---- words for nodes ---- */

    function make(tag, attributes, ...children) {
        const node = document.createElement(tag);

        for (const [name, value] of Object.entries(attributes || {})) {
            if (name === "text") node.textContent = value;
            else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
        }
        node.append(...children.filter((child) => child !== null && child !== undefined));
        return node;
    }

    function button(text, act, attributes) {
        const node = make("button", Object.assign({ type: "button", text }, attributes));

        node.addEventListener("click", act);
        return node;
    }

    const count = (n) => n.toLocaleString("en-US");
    const share = (thousandths) => (thousandths / 1000).toFixed(3);

    function copy(text, from) {
        const area = make("textarea", { class: "unseen", "aria-hidden": "true", tabindex: "-1" });
        const said = from.textContent;

        area.value = text;
        document.body.append(area);
        area.select();
        from.textContent = document.execCommand("copy") ? "Copied" : "Not copied";
        area.remove();
        from.focus();
        setTimeout(() => { from.textContent = said; }, 2000);
    }

    /* ---- the data ---- */

    /* A column of texts: so many units of the row before, and what follows. */
    function texts([lengths, rests]) {
        const out = new Array(rests.length);
        let before = "";

        for (let i = 0; i < rests.length; i++) out[i] = before = before.slice(0, lengths[i]) + rests[i];
        return out;
    }

    const NUMBERS = ["dataset", "number", "split", "language", "repo", "licence", "rules", "copies", "match_dataset",
        "match_number", "kind", "alike", "match_repo", "match_licence", "line", "line_end", "own"];

    function decode(data) {
        const items = Object.assign({}, data);

        for (const name of NUMBERS) items[name] = Float64Array.from(data[name]);
        for (const name of ["source", "path", "place"]) items[name] = texts(data[name]);
        items.pair_of = new Map(data.pairs.map((pair, i) => [pair.row, i]));
        items.has_diff = (row) => items.pair_of.has(row) && !data.pairs[items.pair_of.get(row)].why;
        items.named = (list, i) => (i < 0 ? "" : data[list][i]);
        items.id = (dataset, number) => dataset * 1e12 + number;
        items.snippet = (row) => items.id(items.dataset[row], items.number[row] + 1);
        items.match = (row) => (items.match_number[row]
            ? items.id(items.match_dataset[row], items.match_number[row]) : 0);
        items.rules_of = (row) => data.rule_names.filter((_, bit) => items.rules[row] & (1 << Math.min(bit, 30)));
        items.called = (row) => items.source[row] || String(items.number[row]);
        items.where = (row) => (items.line[row] && !items.place[row].endsWith(":" + items.line[row]) &&
            !items.place[row].endsWith("@" + items.line[row]) ? items.place[row] + ":" + items.line[row]
            : items.place[row]);
        return items;
    }

    /* ---- which rows, in which order ---- */

    const START = { q: "", benchmark: "", split: "", rule: "", found: "", licence: "", least: "", most: "", own: "",
        sort: "", page: 1, open: "" };

    /* Texts in small letters, made when somebody searches. */
    function haystack(items) {
        if (!items.hay)
            items.hay = items.source.map((source, i) => [source, items.path[i], items.place[i],
                items.named("repos", items.repo[i]), items.named("repos", items.match_repo[i]),
                items.named("datasets", items.dataset[i]), items.number[i]].join("\n").toLowerCase());
        return items.hay;
    }

    function filter(items, state) {
        const kept = new Uint32Array(items.rows);
        const number = (list, name) => (name === "" ? -2 : items[list].indexOf(name));
        const dataset = number("datasets", state.benchmark), split = number("splits", state.split);
        const found = number("datasets", state.found), licence = number("licences", state.licence);
        const bit = state.rule === "" ? 0 : 1 << Math.min(items.rule_names.indexOf(state.rule), 30);
        const least = state.least === "" ? -1 : 1000 * Number(state.least);
        const most = state.most === "" ? Infinity : 1000 * Number(state.most);
        const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
        const hay = words.length ? haystack(items) : null;
        let n = 0;

        for (let i = 0; i < items.rows; i++) {
            if (dataset !== -2 && items.dataset[i] !== dataset) continue;
            if (split !== -2 && items.split[i] !== split) continue;
            if (found !== -2 && items.match_dataset[i] !== found) continue;
            if (licence !== -2 && items.match_licence[i] !== licence) continue;
            if (bit && !(items.rules[i] & bit)) continue;
            if (items.alike[i] < least || items.alike[i] > most) continue;
            if (state.own === "no" && items.own[i]) continue;
            if (hay && !words.every((word) => hay[i].includes(word))) continue;
            kept[n++] = i;
        }
        return kept.subarray(0, n);
    }

    /* What a column is sorted by: a number for each row. */
    function keys(items, column) {
        const ranked = (name) => {
            const text = Array.from({ length: items.rows }, (_, i) => name(i));
            const place = new Map([...new Set(text)].sort().map((different, i) => [different, i]));

            return Float64Array.from(text, (each) => place.get(each));
        };

        items.keys = items.keys || {};
        if (!items.keys[column]) {
            items.keys[column] = {
                item: () => ranked(items.called),
                benchmark: () => ranked((i) => items.named("datasets", items.dataset[i]) + "/" +
                    items.named("splits", items.split[i])),
                rules: () => Float64Array.from(items.rules, (bits) => {
                    let n = 0;

                    for (; bits; bits &= bits - 1) n++;
                    return n;
                }),
                match: () => ranked((i) => items.named("datasets", items.match_dataset[i]) + ":" + items.place[i]),
                licence: () => ranked((i) => items.named("licences", items.match_licence[i])),
                alike: () => items.alike,
                copies: () => items.copies,
            }[column]();
        }
        return items.keys[column];
    }

    /* Rows that are equal stay as the file has them: those that leak most first. */
    function sort(items, rows, by) {
        const column = by.replace(/^-/, "");
        const down = by.startsWith("-") ? -1 : 1;

        if (!COLUMNS.some((known) => known.key === column)) return rows;
        const key = keys(items, column);

        return rows.sort((a, b) => down * (key[a] - key[b]) || a - b);
    }

    /* ---- the state in the address ---- */

    function read_state() {
        const state = Object.assign({}, START);

        if (location.hash.startsWith("#items?"))
            for (const [name, value] of new URLSearchParams(location.hash.slice(7)))
                if (name in START) state[name] = value;
        state.page = Math.max(1, parseInt(state.page, 10) || 1);
        return state;
    }

    function write_state(state) {
        const changed = Object.entries(state).filter(([name, value]) => String(value) !== String(START[name]));
        const hash = "#items?" + new URLSearchParams(changed.map(([name, value]) => [name, String(value)]));

        try { history.replaceState(null, "", hash); } catch (e) { location.hash = hash; }
    }

    /* ---- tables of values ---- */

    /* A value for a spreadsheet: one that would be taken for a formula begins with an apostrophe. */
    function csv_cell(value) {
        const text = typeof value === "number" ? String(value) : value.replace(/^[=+@-]/, "'$&");

        return /[",\n\r]/.test(text) ? "\"" + text.replace(/"/g, "\"\"") + "\"" : text;
    }

    function csv(items, rows) {
        const head = ["snippet", "benchmark", "split", "number", "source_id", "path", "repo", "licence", "language",
            "rules", "copies", "kind", "similarity", "found_in", "match_snippet", "match", "match_repo",
            "match_licence", "line", "line_end"];
        const lines = Array.from(rows, (i) => [items.snippet(i), items.named("datasets", items.dataset[i]),
            items.named("splits", items.split[i]), items.number[i], items.source[i], items.path[i],
            items.named("repos", items.repo[i]), items.named("licences", items.licence[i]),
            items.named("languages", items.language[i]), items.rules_of(i).join(" + "), items.copies[i],
            items.named("kinds", items.kind[i]), items.alike[i] / 1000, items.named("datasets", items.match_dataset[i]),
            items.match(i) || "", items.place[i], items.named("repos", items.match_repo[i]),
            items.named("licences", items.match_licence[i]), items.line[i] || "", items.line_end[i] || ""]
            .map(csv_cell).join(","));

        return [head.join(","), ...lines, ""].join("\r\n");
    }

    function save(text, name) {
        const link = make("a", { download: name });

        link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }

    /* ---- one item: where the rest is ---- */

    const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'");

    /* The folder of the run, where the page was opened from it. */
    function folder() {
        if (location.protocol !== "file:") return "DIR";
        try { return quoted(decodeURIComponent(location.pathname).replace(/\/[^/]*$/, "") || "/"); }
        catch (e) { return "DIR"; }
    }

    function commands(items, row) {
        const pair = items.pairs[items.pair_of.get(row)], id = items.snippet(row), match = items.match(row);
        const other = match ? " " + match : pair ? " " + quoted(pair.b.join(":")) : "";
        const lines = ["leakgraph show " + folder() + " " + id + (items.kind[row] < 0 ? "" : other),
            "sqlite3 graph.db \"SELECT * FROM " + (items.kind[row] < 0 ? "item_rules WHERE item = " + id
                : match ? "snippet_pairs WHERE snippet = " + id + " AND pass = 'near'" : "found_inside WHERE item = " + id) +
            "\""];
        const code = make("code", { text: lines.join("\n") });
        const act = button("Copy", () => copy(lines[0], act), { class: "copy" });

        return make("div", { class: "commands" }, make("p", { text: "All of it, and its other matches:" }), act,
            make("pre", { tabindex: "0", "aria-label": "Commands" }, code));
    }

    /* ---- one item: side by side ---- */

    const SAME = 0, REMOVED = 1, ADDED = 2, NEARLY = 3, GAP = 4;

    function words(marked, side) {
        const cell = make("td", { class: "text" });

        for (let i = 0; i < marked.length; i += 2) {
            if (marked[i] === SAME) cell.append(marked[i + 1]);
            else if (marked[i] === side) cell.append(make(side === REMOVED ? "del" : "ins", { text: marked[i + 1] }));
        }
        return cell;
    }

    const line_cell = (number) => make("td", { class: "line", text: number || "" });

    /* Half a row; what a reader who sees no colours sees of it is its sign. */
    function half(number, cell, kind) {
        if (!cell) return [make("td", { class: "line none" }), make("td", { class: "text none" })];
        if (kind) {
            cell.classList.add(kind);
            cell.prepend(make("span", { class: "sign", text: kind === "less" ? "− " : "+ " }));
        }
        return [line_cell(number), cell];
    }

    const whole = (text) => make("td", { class: "text", text });

    /* Removed and added lines of one stretch stand beside each other. */
    function* side_rows(rows) {
        let less = [], more = [];
        const flush = function* () {
            for (let i = 0; i < Math.max(less.length, more.length); i++)
                yield make("tr", {}, ...(less[i] ? half(less[i][1], whole(less[i][2]), "less") : half()),
                    ...(more[i] ? half(more[i][1], whole(more[i][2]), "more") : half()));
            less = [];
            more = [];
        };

        for (const row of rows) {
            if (row[0] === REMOVED) less.push(row);
            else if (row[0] === ADDED) more.push(row);
            else {
                yield* flush();
                if (row[0] === SAME)
                    yield make("tr", {}, ...half(row[1], whole(row[3])), ...half(row[2], whole(row[3])));
                else if (row[0] === NEARLY)
                    yield make("tr", {}, ...half(row[1], words(row[3], REMOVED), "less"),
                        ...half(row[2], words(row[3], ADDED), "more"));
                else if (row[0] === GAP)
                    yield make("tr", { class: "gap" }, make("td", { colspan: "4", text: count(row[3]) +
                        " equal lines, from " + row[1] + " and " + row[2] + " on" }));
            }
        }
        yield* flush();
    }

    /* In words, what is shown of both. */
    function said_of(pair) {
        const said = [];
        const part = ([first, last, lines], name) => {
            if (last - first + 1 < lines)
                said.push(name + ": lines " + first + " to " + last + " of " + count(lines) + ", where the other is.");
        };

        if (pair.same) said.push("Both texts are the same, byte by byte.");
        part(pair.from, "The item");
        part(pair.to, "The match");
        if (pair.laid) said.push("Both are shown in one layout, as their own line breaks differ.");
        if (pair.coarse) said.push("They differ too much to be compared line by line.");
        if (pair.left_out) said.push(count(pair.left_out) + " more lines are left out here; the command below has them.");
        return said.join(" ");
    }

    function side_by_side(items, row, pair) {
        const name = (text, of) => make("th", { scope: "col", colspan: "2" }, make("span", { class: "quiet", text: of }),
            make("span", { class: "name", text }));
        const body = make("tbody", {}, ...side_rows(pair.rows));
        const table = make("table", { class: "sides" },
            make("caption", { class: "unseen", text: "The item and its best match, side by side" }),
            make("colgroup", {}, make("col", { class: "line" }), make("col"), make("col", { class: "line" }), make("col")),
            make("thead", {}, make("tr", {},
                name(items.path[row] || items.called(row), "The item, in " + items.named("datasets", items.dataset[row])),
                name(items.where(row), "Its best match, in " +
                    items.named("datasets", items.match_dataset[row])))), body);

        const said = said_of(pair);

        return [said ? make("p", { class: "quiet", text: said }) : "",
            make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Both texts" }, table)];
    }

    /* ---- one item: its cluster ---- */

    const SVG = "http://www.w3.org/2000/svg";

    function draw(tag, attributes, ...children) {
        const node = document.createElementNS(SVG, tag);

        for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
        node.append(...children);
        return node;
    }

    /* Places in the unit square: the item in the middle, the others on a ring, then pulled by their pairs and pushed by
     * each other, so many times.  Nothing is random: the same cluster is always the same picture. */
    function layout(members, pairs) {
        const n = members.length;
        const at = members.map((_, i) => (i === 0 ? [0.5, 0.5]
            : [0.5 + 0.4 * Math.cos(2 * Math.PI * i / (n - 1 || 1)), 0.5 + 0.4 * Math.sin(2 * Math.PI * i / (n - 1 || 1))]));
        const rest = 0.7 / Math.sqrt(n);

        for (let step = 0, heat = 0.08; step < 160; step++, heat *= 0.975) {
            const move = members.map(() => [0, 0]);
            const push = (a, b, by) => {
                const dx = at[a][0] - at[b][0] || (a - b) * 1e-4, dy = at[a][1] - at[b][1] || 1e-4;
                const far = Math.hypot(dx, dy), force = by(far) / far;

                move[a][0] += dx * force; move[a][1] += dy * force;
                move[b][0] -= dx * force; move[b][1] -= dy * force;
            };

            for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) push(a, b, (far) => rest * rest / Math.max(far, 0.01));
            for (const [a, b] of pairs) push(a, b, (far) => -far * far / rest);
            for (let i = 1; i < n; i++) {
                const far = Math.hypot(move[i][0], move[i][1]) || 1, by = Math.min(far, heat) / far;

                at[i] = at[i].map((x, axis) => Math.min(0.96, Math.max(0.04, x + move[i][axis] * by)));
            }
        }
        return at;
    }

    function member_name(items, [dataset, number, name]) {
        return items.named("datasets", dataset) + ": " + (name || number - 1);
    }

    function picture(items, cluster) {
        const width = 720, height = cluster.members.length < 5 ? 160 : cluster.members.length < 13 ? 300 : 420;
        const at = layout(cluster.members, cluster.pairs).map(([x, y]) => [x * width, y * height]);
        const shades = [...new Set(cluster.members.map((member) => member[0]))];
        const svg = draw("svg", { viewBox: "0 0 " + width + " " + height, class: "cluster", role: "group",
            "aria-label": "The cluster: " + cluster.members.length + " documents and " + cluster.pairs.length + " pairs" });
        const lines = cluster.pairs.map(([a, b, alike, exact]) => draw("line", { x1: at[a][0], y1: at[a][1], x2: at[b][0],
            y2: at[b][1], class: exact ? "exact" : "near", "stroke-width": 0.5 + 2 * Math.max(0, alike - 500) / 500 }));
        const told = make("p", { class: "quiet", "aria-live": "polite", text: "Choose a document to read its name." });

        svg.append(...lines);
        cluster.members.forEach((member, i) => {
            const name = member_name(items, member), of = cluster.pairs.filter(([a, b]) => a === i || b === i);
            const node = draw("g", { tabindex: "0", role: "img", "aria-label": name + ", " + of.length + " pairs",
                class: "c" + (shades.indexOf(member[0]) % 6 + 1) },
                draw("circle", { cx: at[i][0], cy: at[i][1], r: i === 0 ? 10 : 7 }));
            const title = draw("title", {});
            const choose = () => {
                told.textContent = name + ": " + of.length + (of.length === 1 ? " pair" : " pairs") + " here.";
                lines.forEach((line, k) => line.classList.toggle("chosen", cluster.pairs[k].slice(0, 2).includes(i)));
            };

            title.textContent = name;
            node.prepend(title);
            node.addEventListener("focus", choose);
            node.addEventListener("click", choose);
            svg.append(node);
        });
        const legend = make("ul", { class: "legend" }, ...shades.map((dataset, i) => make("li", {},
            make("span", { class: "dot c" + (i % 6 + 1), "aria-hidden": "true" }), items.named("datasets", dataset))));

        return [svg, legend, told];
    }

    function plain_table(caption, head, rows) {
        return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
            make("table", {}, make("caption", { class: "unseen", text: caption }),
                make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col", text })))),
                make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text) => make("td", { text })))))));
    }

    function show_cluster(items, pair) {
        const cluster = items.clusters[pair.cluster];
        const left = cluster.size - cluster.members.length;
        const sql = "SELECT * FROM clusters WHERE pass = 'near' AND cluster = (SELECT cluster FROM clusters WHERE pass = " +
            "'near' AND snippet = " + items.snippet(pair.row) + ")";

        return make("div", {}, make("p", { text: count(cluster.size) + " documents are connected by exact and near pairs." +
            (left ? " " + count(left) + " of them are left out here; all: " + sql : "") }),
            ...picture(items, cluster),
            make("details", {}, make("summary", { text: "As a table" }),
                plain_table("Documents", ["document", "in", "snippet"], cluster.members.map((member) => [
                    member[2] || String(member[1] - 1), items.named("datasets", member[0]),
                    String(items.id(member[0], member[1]))])),
                plain_table("Pairs", ["document", "other", "similarity", "kind"], cluster.pairs.map(
                    ([a, b, alike, exact]) => [member_name(items, cluster.members[a]),
                        member_name(items, cluster.members[b]), share(alike), exact ? "exact" : "near"]))));
    }

    /* ---- one item ---- */

    function detail(items, row) {
        const pair = items.pairs[items.pair_of.get(row)];
        const box = make("div", { class: "detail" });

        if (items.kind[row] < 0)
            box.append(make("p", { text: items.aside ? "Its pairs are in edges.tsv.zst, not in graph.db."
                : "No document is known that it is like: " + items.rules_of(row).join(", ") + " found it." }));
        else if (!pair)
            box.append(make("p", { text: "The page has both texts of the " + count(items.pairs.length) +
                " items that leak most; the command below shows those of this one." }));
        else if (pair.why) box.append(make("p", { text: "The texts are not here: " + pair.why + "." }));
        else box.append(...side_by_side(items, row, pair));
        if (pair && pair.cluster !== undefined) {
            const area = make("div", {});
            const act = button("Show its cluster", () => {
                const open = act.getAttribute("aria-expanded") !== "true";

                act.setAttribute("aria-expanded", String(open));
                act.textContent = open ? "Hide its cluster" : "Show its cluster";
                area.replaceChildren(...(open ? [show_cluster(items, pair)] : []));
            }, { "aria-expanded": "false", class: "cluster-button" });

            box.append(act, area);
        }
        box.append(commands(items, row));
        return box;
    }

    /* ---- the table ---- */

    const COLUMNS = [
        { key: "item", label: "item" }, { key: "benchmark", label: "benchmark" }, { key: "rules", label: "found by" },
        { key: "match", label: "best match" }, { key: "licence", label: "its licence" },
        { key: "alike", label: "similarity", first: "-", number: true },
        { key: "copies", label: "copies", first: "-", number: true },
    ];

    /* What a rule says of an item and a document; docs/definitions.md has it in full. */
    const RULES = {
        exact: "a document has the same text, byte by byte",
        near: "a document is alike: set and multiset similarity reach their thresholds",
        copy: "a document has the same text but for white space; too short for its features to be compared",
        contained: "no document is alike, but most of the item's features are in one",
        pair: "it has pairs, which are in a file beside graph.db",
        function: "a function inside a document is alike",
        passage: "a long run of its words stands in a document",
        "type 1": "a function of a document is the same but for layout and comments",
        "type 2": "the same, with other names and literals",
        "type 2c": "the same, with names that are changed consistently",
        "type 3": "a function of a document differs from it in some lines",
        gpt3_13gram: "one run of 13 words is in a corpus (GPT-3)",
        palm_8gram: "at least 70 % of its runs of 8 words are in a corpus (PaLM)",
        tulu3_8gram: "more than half of its words stand in runs of 8 that one document has (T\u00fclu 3)",
        exact_substring: "its text stands in a document (StarCoder)",
        windows50: "at least 80 % of its windows of 50 characters are in a corpus (infini-gram mini)",
        qwen_lcs: "a document that shares 13 words has 0.6 of the shorter text as a common subsequence (Qwen2.5)",
    };

    function chips(items, row) {
        return make("td", { class: "rules" }, ...items.rules_of(row).flatMap((rule) => [
            make("span", { class: "chip", text: rule, title: RULES[rule] }), " "]));
    }

    function legend(items) {
        return make("details", { class: "legend" }, make("summary", { text: "What \u201cfound by\u201d means" }),
            make("dl", {}, ...items.rule_names.flatMap((rule) => [
                make("dt", { text: rule }), make("dd", { text: RULES[rule] || "see docs/definitions.md" })])));
    }

    function two_lines(first, second) {
        return make("td", { class: "name" }, first || "-", ...(second ? [make("span", { class: "second", text: second })] : []));
    }

    function table_row(items, row, open, act) {
        const split = items.named("splits", items.split[row]);
        const has = items.kind[row] >= 0;
        const name = items.called(row);
        const line = make("tr", {},
            make("td", { class: "act" }, button(open ? "Hide" : items.has_diff(row) ? "Diff" : "More", act, {
                "aria-expanded": String(open), "data-row": String(row),
                "aria-label": (open ? "Hide " : items.has_diff(row) ? "Diff of " : "More of ") + name })),
            two_lines(name, items.path[row]),
            two_lines(items.named("datasets", items.dataset[row]), split && "/" + split),
            chips(items, row),
            has ? two_lines(items.where(row), [items.named("datasets", items.match_dataset[row]),
                items.named("repos", items.match_repo[row])].filter(Boolean).join(" · ")) : two_lines(""),
            make("td", { text: items.named("licences", items.match_licence[row]) || "-" }),
            make("td", { class: "n", text: has ? share(items.alike[row]) : "-" }),
            make("td", { class: "n", text: count(items.copies[row]) }));

        return open ? [line, make("tr", { class: "opened" }, make("td", { colspan: String(COLUMNS.length + 1) },
            detail(items, row)))] : [line];
    }

    /* ---- the explorer ---- */

    function choice(label, name, values, state, changed) {
        const select = make("select", { name }, make("option", { value: "", text: "all" }),
            ...values.map((value) => make("option", { value, text: value })));

        select.value = values.includes(state[name]) ? state[name] : "";
        select.addEventListener("change", () => changed(name, select.value));
        return make("label", {}, make("span", { text: label }), select);
    }

    function field(label, name, attributes, state, changed) {
        const input = make("input", Object.assign({ name }, attributes));
        let waiting = 0;

        input.value = state[name];
        input.addEventListener("input", () => {
            clearTimeout(waiting);
            waiting = setTimeout(() => changed(name, input.value), 120);
        });
        return make("label", { class: name }, make("span", { text: label }), input);
    }

    /* The names of a list that some row has, most frequent first where `often`. */
    function used(items, list, column) {
        const times = new Map();

        for (const i of items[column]) if (i >= 0) times.set(i, (times.get(i) || 0) + 1);
        return [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([i]) => items[list][i]);
    }

    function explorer(root, items) {
        let state = read_state();
        let rows = new Uint32Array(0);
        const told = make("p", { class: "told", role: "status" });
        const body = make("tbody", {});
        const head = make("tr", {}, make("th", { scope: "col", class: "act" }, make("span", { class: "unseen", text: "texts" })));
        const pages = make("nav", { class: "pages", "aria-label": "Pages of items" });
        const form = make("form", { class: "filters", role: "search", "aria-label": "Items" });

        function select() {
            rows = sort(items, filter(items, state), state.sort);
            show();
        }

        function changed(name, value) {
            state[name] = value;
            if (name !== "page") state.page = 1;
            if (name === "page") show();
            else select();
            write_state(state);
        }

        function toggle(row) {
            const name = String(items.snippet(row));

            state.open = state.open === name ? "" : name;
            show();
            write_state(state);
            const again = body.querySelector("button[data-row=\"" + row + "\"]");

            if (again) again.focus();
        }

        function show_head() {
            head.replaceChildren(head.firstChild, ...COLUMNS.map(({ key, label, first, number }) => {
                const down = state.sort === "-" + key, up = state.sort === key;
                const act = button(label, () => {
                    const ways = first ? ["-" + key, key, ""] : [key, "-" + key, ""];

                    changed("sort", ways[(ways.indexOf(state.sort) + 1) % 3]);
                    head.querySelector("button[data-column=\"" + key + "\"]").focus();
                }, { "data-column": key });

                act.append(make("span", { "aria-hidden": "true", text: down ? " ↓" : up ? " ↑" : "" }));
                return make("th", { scope: "col", class: number ? "n" : "", "aria-sort": down ? "descending" : up
                    ? "ascending" : "none" }, act);
            }));
        }

        function show_pages(most) {
            const go = (text, page, label) => button(text, () => {
                changed("page", page);
                const again = pages.querySelector("button[data-go=\"" + text + "\"]:not([disabled])");

                (again || pages.querySelector("input")).focus();
            }, { disabled: page < 1 || page > most || page === state.page ? "" : null, "aria-label": label, "data-go": text });
            const input = make("input", { type: "number", min: "1", max: String(most), value: String(state.page),
                "aria-label": "Page" });

            input.addEventListener("change", () => {
                changed("page", Math.min(most, Math.max(1, parseInt(input.value, 10) || 1)));
                pages.querySelector("input").focus();
            });
            pages.hidden = most < 2;
            pages.replaceChildren(go("«", 1, "First page"), go("‹", state.page - 1, "Page before"), input,
                make("span", { text: " of " + count(most) }), go("›", state.page + 1, "Next page"),
                go("»", most, "Last page"));
        }

        function show() {
            const most = Math.max(1, Math.ceil(rows.length / PAGE));

            state.page = Math.min(state.page, most);
            const from = (state.page - 1) * PAGE, some = rows.subarray(from, from + PAGE);

            body.replaceChildren(...Array.from(some).flatMap((row) => table_row(items, row,
                String(items.snippet(row)) === state.open, () => toggle(row))));
            if (!some.length)
                body.append(make("tr", {}, make("td", { colspan: String(COLUMNS.length + 1),
                    text: "No item is like that." })));
            told.textContent = count(rows.length) + " of " + count(items.total) + (items.total === 1 ? " item" : " items") +
                (some.length ? "; " + count(from + 1) + " to " + count(from + some.length) + " are shown." : ".") +
                (items.rows < items.total ? " The page has the " + count(items.rows) +
                    " that leak most; view item_rules of graph.db has all." : "");
            show_head();
            show_pages(most);
        }

        function controls() {
            const range = { type: "number", min: "0", max: "1", step: "0.05" };
            const own = make("input", { type: "checkbox", name: "own" });
            const copied = button("Copy link", () => copy(location.href, copied));
            const values = button("Copy as CSV", () => copy(csv(items, rows), values));

            own.checked = state.own === "no";
            own.addEventListener("change", () => changed("own", own.checked ? "no" : ""));
            form.replaceChildren(
                field("Search in ids, paths, repositories", "q", { type: "search", autocomplete: "off", spellcheck: "false" },
                    state, changed),
                choice("Benchmark", "benchmark", used(items, "datasets", "dataset"), state, changed),
                choice("Split", "split", used(items, "splits", "split"), state, changed),
                choice("Found by", "rule", items.rule_names, state, changed),
                choice("Found in", "found", used(items, "datasets", "match_dataset"), state, changed),
                choice("Licence of the match", "licence", used(items, "licences", "match_licence"), state, changed),
                make("div", { class: "range" }, field("Similarity from", "least", range, state, changed),
                    field("to", "most", range, state, changed)),
                make("label", { class: "own" }, own, make("span", { text: "without repetitions of their own benchmark" })),
                make("div", { class: "acts" }, button("Reset", () => {
                    state = Object.assign({}, START);
                    controls();
                    select();
                    write_state(state);
                    form.querySelector("input").focus();
                }), button("Save as CSV", () => save(csv(items, rows), "leaked-items.csv")), values, copied));
        }

        if (!items.rows) {
            told.textContent = "0 of 0 items: no rule found one.";
            return root.append(told);
        }
        form.addEventListener("submit", (event) => event.preventDefault());
        root.append(form, legend(items), told, make("div", { class: "scroll rows", tabindex: "0", role: "region", "aria-label": "Items" },
            make("table", { class: "all" }, make("caption", { class: "unseen", text: "Items that a rule found" }),
                make("thead", {}, head), body)), pages);
        controls();
        select();
        addEventListener("hashchange", () => {
            if (!location.hash.startsWith("#items?")) return;
            state = read_state();
            controls();
            select();
            root.scrollIntoView();
        });
        if (location.hash.startsWith("#items?")) root.scrollIntoView();
    }

    document.addEventListener("DOMContentLoaded", function () {
        document.querySelectorAll("div.items").forEach(function (root) {
            const data = root.querySelector("script[type=\"application/json\"]");

            root.hidden = false;
            explorer(root, decode(JSON.parse(data.textContent)));
            data.remove();
        });
    });
}());
