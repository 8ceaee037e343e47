/* How long reports take in a headless browser: medians of several rounds, in milliseconds, a line a report.
 *
 *     node times.mjs PACKAGES BROWSER ROUNDS FILE... */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, executablePath, rounds, ...files] = process.argv.slice(2);
const { chromium } = createRequire(pathToFileURL(packages + "/"))("playwright-core");

/* Inside the page: what a control does, until the next frame is drawn. */
const timed = (page, act) => page.evaluate((source) => new Promise((done) => {
    const began = performance.now();

    Promise.resolve(new Function(source)()).then(() =>
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began), 0)));
}), act).catch(() => NaN);

const PARTS = {
    filter: "const s = document.querySelector('.items select[name=rule]'); s.value = s.options[1].value;" +
        "s.dispatchEvent(new Event('change'));",
    sort: "document.querySelector('.items th button[data-column=match]').click();",
    search: "const i = document.querySelector('.items input[name=q]'); i.value = '99';" +
        "return new Promise((done) => { new MutationObserver(done).observe(document.querySelector('.items .told')," +
        "{ childList: true }); i.dispatchEvent(new Event('input')); });",
};

async function round(browser, file) {
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();       /* for the functions above */
    const began = Date.now();

    await page.goto(pathToFileURL(file).href);
    const times = { ready: Date.now() - began };
    times.paint = await page.evaluate(() => new Promise((done) => {
        new PerformanceObserver((list) => done(list.getEntriesByName("first-contentful-paint")[0].startTime))
            .observe({ type: "paint", buffered: true });
    }));
    for (const [name, act] of Object.entries(PARTS)) times[name] = await timed(page, act);
    await page.context().close();
    return times;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const browser = await chromium.launch({ executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
for (const file of files) {
    const all = [];

    for (let i = 0; i < Number(rounds); i++) all.push(await round(browser, file));
    console.log(file + ": " + Object.keys(all[0]).map((name) => name + " " +
        Math.round(median(all.map((times) => times[name]))) + " ms").join(", "));
}
await browser.close();
