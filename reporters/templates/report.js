"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);

  // Theme: what the system says, until the reader says something else.
  const KEY = "mcp-compliance-theme";
  const button = byId("theme_button");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const name = () => { button.textContent = isDark() ? "Light theme" : "Dark theme"; };
  if (["dark", "light"].includes(stored())) root.dataset.theme = stored();
  name();
  button.hidden = false;
  system.addEventListener("change", name);
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem(KEY, root.dataset.theme); } catch { /* not remembered then */ }
    name();
  });

  // Filter: everything that can be searched is on the page already.
  const form = byId("filter_form");
  if (form) {
    const rows = [...document.querySelectorAll(".row")];
    const groups = [...document.querySelectorAll(".group")];
    const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const apply = () => {
      const words = byId("filter_text").value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = ["verdict", "category", "level"].map((key) => [key, byId("filter_" + key).value]);
      let shown = 0;
      for (const row of rows) {
        const fits = wanted.every(([key, value]) => !value || row.dataset[key] === value);
        row.hidden = !(fits && words.every((word) => texts.get(row).includes(word)));
        shown += row.hidden ? 0 : 1;
      }
      for (const group of groups) group.hidden = !group.querySelector(".row:not([hidden])");
      const all = rows.length + (rows.length === 1 ? " rule" : " rules");
      byId("filter_count").textContent =
        shown === rows.length ? all : shown ? shown + " of " + all : "No rule fits: 0 of " + all;
    };
    form.hidden = false;
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));

    // A link to a rule shows it, whatever was filtered away or folded.
    const reveal = () => {
      const target = location.hash.length > 1 ? byId(decodeURIComponent(location.hash.slice(1))) : null;
      if (!target) return;
      const fold = target.closest("details");
      if (fold) fold.open = true;
      if (target.closest("[hidden]")) {
        form.reset();
        apply();
      }
      target.scrollIntoView();
    };
    addEventListener("hashchange", reveal);
    apply();
    reveal();
  }

  // Copy: the clipboard is missing where a page came over plain HTTP.
  const copied = async (code) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      const selection = getSelection();
      selection.selectAllChildren(code);
      const done = document.execCommand("copy");
      if (done) selection.removeAllRanges();
      return done;
    }
  };
  for (const copy of document.querySelectorAll(".copy")) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      const done = await copied(copy.closest(".block").querySelector("code"));
      copy.textContent = done ? "Copied" : "Selected";
      byId("copy_status").textContent = done ? "Copied" : "Selected; copy it with the keyboard";
      setTimeout(() => { copy.textContent = "Copy"; byId("copy_status").textContent = ""; }, 2000);
    });
  }
})();
