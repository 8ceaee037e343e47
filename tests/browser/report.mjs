/* Opens reports in a headless browser and asks of each what a reader would: no error, no request, every control by
 * mouse and by keyboard, nothing that axe calls serious.
 *
 *     node report.mjs PACKAGES BROWSER [NAME=FILE[:ITEMS]]...
 *
 * PACKAGES: the folder of playwright-core and axe-core; ITEMS: how many of make_leaks.py's the explorer is to have.
 * Prints what took how long, which decides nothing; exit status 1 with a line for each fault. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, executablePath, ...reports] = process.argv.slice(2);
const require = createRequire(pathToFileURL(packages + "/"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const STEP = 20000;                                         /* milliseconds that a step may take on a busy machine */

let faults = 0;
function fault(name, text) {
    faults++;
    console.log("FAILED: " + name + ": " + text);
}
function check(name, holds, text) { if (!holds) fault(name, text); }

/* ---- a page, and what it must never do ---- */

async function open(browser, name, file, options) {
    const context = await browser.newContext(Object.assign({ viewport: { width: 1280, height: 900 } }, options));
    const page = await context.newPage();
    const url = pathToFileURL(file).href;

    page.setDefaultTimeout(STEP);
    page.on("pageerror", (error) => fault(name, "error: " + error.message));
    page.on("console", (said) => {
        if (said.type() === "error" || said.type() === "warning") fault(name, "console: " + said.text());
    });
    page.on("dialog", (dialog) => { fault(name, "dialog"); dialog.dismiss(); });
    page.on("request", (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith("blob:"))
            fault(name, "request: " + request.url());
    });
    await page.goto(url, { waitUntil: "load" });
    return page;
}

/* In dark only colours are others. */
async function accessible(name, page, what) {
    if (what === "light") await page.evaluate(axe);
    const found = await page.evaluate((runOnly) => window.axe.run(document, { resultTypes: ["violations"], runOnly }),
        what === "light" ? ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
            : { type: "rule", values: ["color-contrast", "link-in-text-block"] });

    for (const violation of found.violations)
        if (violation.impact === "serious" || violation.impact === "critical")
            fault(name, "axe, " + what + ": " + violation.id + ": " + violation.help + ": " +
                violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | "));
}

/* The canary is set by whatever of the data runs.  Direction marks and escapes are shown as codes. */
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f]/;
async function harmless(name, page) {
    check(name, await page.evaluate(() => window.leakgraph_canary === undefined), "text of the data was run");
    check(name, !STEERS.test(await page.evaluate(() => document.body.innerText)), "text of the data steers the eye");
}

const told = (page) => page.textContent(".items .told");
const rows = (page) => page.locator(".items table.all > tbody > tr:not(.opened)");
const column = (page, n) => rows(page).locator("td:nth-child(" + n + ")").allTextContents();
const settle = (page) => page.waitForTimeout(180);          /* what is typed is heard a little later */

/* ---- what a reader does ---- */

async function filters(name, page, items, hostile) {
    const word = await rows(page).last().locator("td:nth-child(2)").evaluate((cell) => cell.firstChild.textContent);

    await page.fill(".items input[name=q]", word);
    await settle(page);
    check(name, (await column(page, 2)).some((text) => text.includes(word)), "the item is not found: " + word);
    check(name, !(await told(page)).startsWith(items + " of") || items === "1", "search leaves all of them");
    check(name, page.url().includes("#items?q="), "the address does not say what is searched");
    if (hostile) {                                          /* they are there, as codes */
        for (const code of ["\\u202eexe", "\\x1b[2j", "</script><script>"]) {
            await page.fill(".items input[name=q]", code);
            await settle(page);
            check(name, (await told(page)).startsWith("1 of "), "not shown as it is: " + code);
        }
    }
    await page.fill(".items input[name=q]", "no such item \u2603");
    await settle(page);
    check(name, (await told(page)).startsWith("0 of "), "something is found that is not there");
    await page.click(".items button:text-is('Reset')");
    check(name, (await told(page)).startsWith(items + " of"), "reset does not show all: " + await told(page));

    const rules = await page.locator(".items select[name=rule] option").allTextContents();
    const said = await page.locator(".items .legend dt").allTextContents();
    check(name, said.join() === rules.slice(1).join(), "the legend does not say what each rule is: " + said);
    const words = await page.locator(".items .legend dd").allTextContents();
    check(name, !words.some((text) => text.startsWith("see docs")), "a rule without a word on it: " + said);
    await page.click(".items .legend summary");
    check(name, await page.locator(".items .legend dd").first().isVisible(), "the legend does not open");
    await page.selectOption(".items select[name=rule]", rules[1]);
    check(name, (await column(page, 4)).every((text) => text.includes(rules[1])), "an item without rule " + rules[1]);
    const url = page.url();
    await page.click(".items button:text-is('Reset')");
    await page.evaluate((hash) => { location.hash = hash; }, new URL(url).hash);
    await settle(page);
    check(name, await page.inputValue(".items select[name=rule]") === rules[1], "a link does not restore the view");
    await page.click(".items button:text-is('Reset')");
}

async function sorting(name, page) {
    for (const down of [true, false]) {
        await page.click(".items th button[data-column=alike]");
        const shown = (await column(page, 7)).map(Number).filter((value) => !isNaN(value));

        check(name, shown.every((value, i) => !i || (down ? value <= shown[i - 1] : value >= shown[i - 1])),
            "similarity is not sorted " + (down ? "down" : "up"));
        const way = ".items th[aria-sort=" + (down ? "descending" : "ascending") + "]";
        check(name, await page.locator(way).count() === 1, "the sorted column is not told");
    }
    await page.click(".items button:text-is('Reset')");
}

/* Opens the first diff that there is. */
async function diff(name, page, wants) {
    const first = page.locator(".items button[data-row]:text-is('Diff')").first();

    if (await first.count() === 0) return check(name, !wants, "no item has a diff");
    await first.click();
    check(name, await page.locator(".items .sides tbody tr").count() > 0, "the diff has no line");
    check(name, await page.evaluate(() => document.activeElement.getAttribute("aria-expanded") === "true"),
        "the button that was pressed has lost the focus");
    const cluster = page.locator(".items .cluster-button").first();

    if (await cluster.count()) {
        await cluster.click();
        check(name, await page.locator(".items svg.cluster g[tabindex]").count() > 1, "the cluster has no documents");
    }
}

async function keyboard(name, page) {
    await page.focus(".items input[name=q]");
    let reached = "";

    for (let i = 0; i < 40 && !reached; i++) {
        await page.keyboard.press("Tab");
        reached = await page.evaluate(() => document.activeElement.dataset.row || "");
    }
    check(name, reached !== "", "no item is reached by keyboard");
    const open = await page.locator(".items .opened").count();
    await page.keyboard.press("Enter");
    check(name, await page.locator(".items .opened").count() !== open, "Enter does not open or close the item");
    check(name, await page.evaluate(() => document.activeElement.dataset.row) === reached, "the focus is lost");
    await page.keyboard.press("Enter");
}

async function themes(name, page) {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const seen = new Set();

    for (let i = 0; i < 3; i++) {
        await page.click("#theme");
        seen.add(await ground());
    }
    check(name, seen.size === 2, "the theme is not switched: " + [...seen].join(", "));
}

async function saving(name, page) {
    const [download] = await Promise.all([page.waitForEvent("download"),
        page.click(".items button:text-is('Save as CSV')")]);
    const text = readFileSync(await download.path(), "utf8");

    check(name, text.startsWith("snippet,benchmark,") && text.split("\r\n").length > 2, "the CSV is empty");
    await page.click(".items .acts button:last-child");
    check(name, await page.textContent(".items .acts button:last-child") === "Copied", "the link is not copied");
}

async function printing(name, page) {
    await page.emulateMedia({ media: "print" });
    check(name, !(await page.isVisible(".items .filters")), "filters are printed");
    check(name, await page.evaluate(() => [...document.querySelectorAll(".items, .items *")].every((node) =>
        node.getBoundingClientRect().right <= innerWidth + 1)), "the print is wider than the page");
    await page.emulateMedia({ media: "screen" });
}

/* ---- a report ---- */

async function report(browser, name, file, items) {
    const began = Date.now();
    const page = await open(browser, name, file, { colorScheme: "light" });
    const paint = await page.evaluate(() => new Promise((done) => {
        new PerformanceObserver((list) => done(list.getEntriesByName("first-contentful-paint")[0].startTime))
            .observe({ type: "paint", buffered: true });
        setTimeout(() => done(NaN), 2000);
    }));
    const wants = items !== undefined && Number(items) > 0;

    console.log(name + ": first paint " + Math.round(paint) + " ms, ready " + (Date.now() - began) + " ms");
    if (items !== undefined) {
        const all = Number(items).toLocaleString("en-US");

        check(name, (await told(page)).startsWith(all + " of " + all), "not " + all + " items: " + await told(page));
    }
    if (await page.locator(".items button[data-row]").count()) {
        const all = (await told(page)).split(" ")[0];

        await filters(name, page, all, Number(items) >= 1000);
        await sorting(name, page);
        await saving(name, page);
        await diff(name, page, wants);
        await keyboard(name, page);
        await printing(name, page);
    }
    if (await page.locator(".items .opened").count()) {     /* one row and its diff: axe takes its time for each */
        await page.fill(".items input[name=q]", await page.locator(".items tr:has(+ .opened) td:nth-child(2)")
            .evaluate((cell) => cell.firstChild.textContent));
        await settle(page);
    }
    await themes(name, page);
    await accessible(name, page, "light");
    await page.emulateMedia({ colorScheme: "dark" });
    await accessible(name, page, "dark");
    await harmless(name, page);
    await page.setViewportSize({ width: 380, height: 700 });
    check(name, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1),
        "a narrow screen has to be scrolled sideways");
    await page.context().close();
    console.log(name + ": " + (Date.now() - began) + " ms in all");
}

const browser = await chromium.launch({ executablePath, timeout: STEP,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
for (const argument of reports) {
    const [, name, file, items] = argument.match(/^([^=]+)=(.*?)(?::(\d+))?$/);

    try { await report(browser, name, file, items); } catch (error) { fault(name, error.message.split("\n")[0]); }
}
await browser.close();
process.exit(faults ? 1 : 0);
