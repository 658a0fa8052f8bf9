// Opens a sheet of rules beside the game, for links marked `data-sheet`. The page of the table stays,
// and with it the connection: reading the rules must not look like walking away. Without script, or
// with a modifier key, such a link is an ordinary one. The panel is no dialog: the game goes on.
(() => {
  "use strict";
  let panel = null;
  let opener = null;
  let asked = 0;

  const ours = (link) => {
    const url = new URL(link.href, location.href);
    return url.origin === location.origin && /^\/(rules|fair)\//.test(url.pathname);
  };

  // The sheet's own styles, once; without them it would be shown, and scrolled, out of shape. They go
  // before the table's, which has some of them in its own file: what comes last would change it.
  const dress = (found) => {
    const waiting = [];
    let before = document.head.querySelector('link[rel="stylesheet"]'); // the site's: it orders the layers
    for (const link of found.querySelectorAll('link[rel="stylesheet"]')) {
      const href = link.getAttribute("href");
      if (document.querySelector(`link[rel="stylesheet"][href="${CSS.escape(href)}"]`)) continue;
      const own = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      waiting.push(new Promise((done) => (own.onload = own.onerror = done)));
      before.after(own);
      before = own;
    }
    return Promise.all(waiting);
  };

  const frame = (closeWord) => {
    panel = document.createElement("aside");
    panel.id = "rules-panel";
    panel.className = "rules-panel";
    const bar = document.createElement("div");
    bar.className = "rules-panel__bar";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn--small";
    button.textContent = closeWord;
    button.addEventListener("click", close);
    const body = document.createElement("div");
    body.className = "rules-panel__body";
    bar.append(button);
    panel.append(bar, body);
    panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
      // The table's own keys have no say while somebody reads.
      event.stopPropagation();
    });
    document.body.append(panel);
  };

  const show = (found, url) => {
    const sheet = found.getElementById("rules");
    if (!sheet) throw new Error("no sheet");
    const back = found.querySelector(".sheets__back a");
    if (!panel) frame(back ? back.textContent.trim() : "×");
    const nav = found.querySelector(".sheets__nav");
    const body = panel.querySelector(".rules-panel__body");
    const sprite = document.querySelector("svg.sprite") ? null : found.querySelector("svg.sprite");
    body.replaceChildren(...[sprite, nav, sheet].filter(Boolean));
    const title = sheet.querySelector("h1");
    panel.setAttribute("aria-label", title.textContent);
    const place = url.hash && body.querySelector(`[id="${CSS.escape(decodeURIComponent(url.hash.slice(1)))}"]`);
    body.scrollTop = 0;
    if (place) {
      place.classList.add("is-target");
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
      place.scrollIntoView({ block: "start" });
    } else {
      title.focus({ preventScroll: true });
    }
  };

  function close() {
    if (!panel) return;
    panel.remove();
    panel = null;
    if (opener && opener.isConnected) opener.focus();
  }

  const open = async (link) => {
    const url = new URL(link.href, location.href);
    const number = ++asked;
    try {
      const answer = await fetch(url, { headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok) throw new Error(answer.status);
      const found = new DOMParser().parseFromString(await answer.text(), "text/html");
      await dress(found);
      if (number === asked) show(found, url);
    } catch {
      window.open(url, "_blank", "noopener");
    }
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const inside = panel && panel.contains(link);
    if (!inside && !link.hasAttribute("data-sheet")) return;
    const href = link.getAttribute("href");
    if (inside && href.startsWith("#")) {
      event.preventDefault();
      const place = panel.querySelector(`[id="${CSS.escape(decodeURIComponent(href.slice(1)))}"]`);
      if (place) place.scrollIntoView({ block: "start" });
      return;
    }
    if (!ours(link)) return;
    event.preventDefault();
    if (!inside) opener = link;
    open(link);
  });
})();
