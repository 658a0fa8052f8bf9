// Scores count up once. The element's text is the true score from the start; only the figures drawn
// run behind it, in an attribute, so that whoever reads the page never reads a score on its way.
(() => {
  "use strict";
  const House = (window.House ||= {});
  const root = document.getElementById("table");
  // In the system's own colours nothing can be made transparent: both figures would be drawn.
  const calm = matchMedia("(prefers-reduced-motion: reduce), (forced-colors: active)");
  const LASTS = 700;

  House.scoresNow = () =>
    new Map([...root.querySelectorAll("#score [data-side]")].map((b) => [b.dataset.side, b.textContent]));

  House.countUp = (before) => {
    if (calm.matches) return;
    for (const number of root.querySelectorAll("#score [data-side]")) {
      const from = Number(before.get(number.dataset.side));
      const to = Number(number.textContent);
      if (Number.isNaN(from) || Number.isNaN(to) || to <= from) continue;
      const started = performance.now();
      const step = (time) => {
        const part = Math.min(1, (time - started) / LASTS);
        if (part === 1 || !number.isConnected || Number(number.textContent) !== to) {
          delete number.dataset.shown;
          return;
        }
        number.dataset.shown = String(Math.round(from + (to - from) * (1 - (1 - part) ** 3)));
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    }
  };
})();
