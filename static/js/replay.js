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

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !event.target.closest(`#${id}, body`)) return;
    if (event.target.closest("input, select, textarea")) return;
    const step = { ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "end" }[event.key];
    const link = step && document.querySelector(`#${id} [data-step="${step}"]`);
    if (!link) return;
    event.preventDefault();
    go(link.href, true);
  });

  addEventListener("popstate", () => go(location.href, false));
})();
