// What scrolls sideways has to be reached with the keyboard, too, and each landmark has to be told from the others. The
// theme wraps tables some time after the page was loaded.
const regions = () => {
  for (const [selector, label] of [[".md-typeset__scrollwrap", "Table"], [".md-typeset pre > code", "Code"]]) {
    document.querySelectorAll(`${selector}:not([role])`).forEach((region) => {
      const place = document.querySelectorAll(`${selector}[role]`).length + 1;
      region.tabIndex = 0;
      region.setAttribute("role", "region");
      region.setAttribute("aria-label", `${label} ${place}`);
    });
  }
  document.querySelectorAll(".md-code__nav:not([aria-label])").forEach((nav) => {
    const place = document.querySelectorAll(".md-code__nav[aria-label]").length + 1;
    nav.setAttribute("aria-label", `Buttons of code ${place}`);
  });
};
document.querySelector(".md-path")?.setAttribute("aria-label", "Where this page stands");
document.querySelectorAll(".md-sidebar--primary nav nav").forEach((nav, place) => {
  nav.removeAttribute("aria-labelledby"); // the same name stands at several levels
  nav.setAttribute("aria-label", `Navigation, part ${place + 1}`);
});
regions();
new MutationObserver(regions).observe(document.body, { childList: true, subtree: true });
