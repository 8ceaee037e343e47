/* page.js -- what the page does besides being read: themes, copying SQL, and where the reader is. */
"use strict";
(function () {
    const themes = ["auto", "light", "dark"];
    let theme = "auto";

    try { theme = localStorage.getItem("leakgraph-theme") || "auto"; } catch (e) { /* pages from disk may have none */ }
    if (!themes.includes(theme)) theme = "auto";

    function show() {
        if (theme === "auto") document.documentElement.removeAttribute("data-theme");
        else document.documentElement.setAttribute("data-theme", theme);
    }

    function themeButton() {
        const button = document.getElementById("theme");
        const name = button.querySelector("span");

        name.textContent = theme;
        button.hidden = false;
        button.addEventListener("click", function () {
            theme = themes[(themes.indexOf(theme) + 1) % themes.length];
            name.textContent = theme;
            show();
            try { localStorage.setItem("leakgraph-theme", theme); } catch (e) { /* it lasts as long as the page */ }
        });
    }

    /* A button beside each query. */
    function copyButtons() {
        document.querySelectorAll("details.sql").forEach(function (details) {
            const button = document.createElement("button");
            const code = details.querySelector("code");

            button.type = "button";
            button.className = "copy";
            button.textContent = "Copy";
            button.setAttribute("aria-live", "polite");
            button.addEventListener("click", function () {
                const range = document.createRange();

                range.selectNodeContents(code);
                getSelection().removeAllRanges();
                getSelection().addRange(range);
                button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
                setTimeout(function () { button.textContent = "Copy"; }, 2000);
            });
            details.querySelector("summary").after(button);
        });
    }

    /* The list of sections tells which one is being read. */
    function follow() {
        const links = new Map();
        const open = new Set();

        if (!("IntersectionObserver" in window)) return;
        document.querySelectorAll("nav.contents a").forEach(function (link) {
            links.set(decodeURIComponent(link.getAttribute("href").slice(1)), link);
        });
        const watch = new IntersectionObserver(function (entries) {
            let first = true;

            entries.forEach(function (entry) {
                if (entry.isIntersecting) open.add(entry.target.id);
                else open.delete(entry.target.id);
            });
            links.forEach(function (link, id) {
                if (first && open.has(id)) {
                    link.setAttribute("aria-current", "true");
                    first = false;
                } else link.removeAttribute("aria-current");
            });
        }, { rootMargin: "-20% 0px -60% 0px" });

        links.forEach(function (link, id) {
            const section = document.getElementById(id);

            if (section) watch.observe(section);
        });
    }

    /* A link to something folded away opens it. */
    function reveal() {
        const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));

        for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
        if (target) target.scrollIntoView();
    }

    /* On narrow screens the list of sections begins folded; printed, every table is there. */
    function folds() {
        const contents = document.querySelector("nav.contents details");

        if (matchMedia("(max-width: 60rem)").matches) contents.open = false;
        addEventListener("beforeprint", function () {
            document.querySelectorAll("details.behind:not([open])").forEach(function (details) {
                details.open = true;
                details.dataset.folded = "";
            });
        });
        addEventListener("afterprint", function () {
            document.querySelectorAll("details[data-folded]").forEach(function (details) {
                details.open = false;
                delete details.dataset.folded;
            });
        });
    }

    show();
    document.addEventListener("DOMContentLoaded", function () {
        themeButton();
        copyButtons();
        follow();
        folds();
        if (location.hash) reveal();
        addEventListener("hashchange", reveal);
    });
}());
