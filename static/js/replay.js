/* Steps through a replay without loading the page anew; without it every step is a link. */
(() => {
  "use strict";
  const id = "replay";
  let asked = 0;

  const go = async (url, push) => {
    const mine = ++asked;
    try {
      const answer = await fetch(url, { headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== asked) return;
      const fresh = page.getElementById(id);
      const old = document.getElementById(id);
      if (window.Idiomorph) window.Idiomorph.morph(old, fresh);
      else old.replaceWith(fresh);
      if (push) history.pushState({}, "", url);
    } catch {
      location.href = url;
    }
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest(`#${id} a[href^="?"]`);
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(link.href, true);
  });

  /** Whether an element, or one around it, scrolls sideways by the arrow keys itself. */
  const scrolls = (node) => {
    for (; node && node !== document.body; node = node.parentElement) {
      const way = getComputedStyle(node).overflowX;
      if ((way === "auto" || way === "scroll") && node.scrollWidth > node.clientWidth) return true;
    }
    return false;
  };

  // Nothing else on the page is done by the arrows, but Home and End scroll it: they are taken only
  // from whoever is at the replay itself.
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = event.target;
    if (at.closest("input, select, textarea, [contenteditable]") || scrolls(at)) return;
    const inside = at.closest(`#${id} nav, #${id} .replay__table`);
    const step =
      { ArrowLeft: "back", ArrowRight: "on" }[event.key] ??
      (inside && { Home: "start", End: "end" }[event.key]);
    const link = step && document.querySelector(`#${id} [data-step="${step}"]`);
    if (!link) return;
    event.preventDefault();
    go(link.href, true);
  });

  addEventListener("popstate", () => go(location.href, false));
})();
