// Clocks, counted from the server's time: the page learns with every picture what time it is there
// and measures from then on with the monotonic clock, so a wrong clock in the device does no harm.
(() => {
  "use strict";
  const House = (window.House ||= {});
  const root = document.getElementById("table");
  const texts = JSON.parse(document.getElementById("texts").textContent);
  const plainTitle = document.title.replace(/^[^·]*· (?=.*·.*·)/, "");
  let server = Number(root.dataset.now) * 1000;
  let measured = performance.now();
  const warned = new Set();

  const now = () => server + (performance.now() - measured);

  House.setNow = (iso) => {
    const time = Date.parse(iso);
    if (!Number.isNaN(time)) {
      server = time;
      measured = performance.now();
    }
  };

  const shown = (ms) => {
    const seconds = Math.max(0, Math.ceil(ms / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  const warn = (at, left) => {
    for (const limit of [5, 15]) {
      if (left > limit * 1000 || left <= 0) continue;
      const key = `${at}/${limit}`;
      if (!warned.has(key)) {
        // Coming in late, only the nearer warning is given.
        warned.add(key).add(`${at}/15`);
        House.sound("clock");
        House.shake(limit === 5 ? [80, 60, 80] : 80);
        House.call(texts.seconds.replace("%s", String(Math.ceil(left / 1000))));
      }
      return;
    }
  };

  // Once, to the seat on turn at a table without a clock, a minute before it can be claimed.
  const warnOfClaim = (at, left) => {
    if (left > 60000 || left <= 0 || warned.has(`${at}/claim`)) return;
    warned.add(`${at}/claim`);
    House.sound("clock");
    House.shake(80);
    House.call(texts.claim);
  };

  House.tick = () => {
    const time = now();
    let mine = "";
    for (const clock of document.querySelectorAll("time.clock")) {
      const at = Number(clock.dataset.at);
      const text = shown(at - time);
      if (clock.textContent !== text) clock.textContent = text;
      const low = at - time <= 15000;
      if (low !== clock.hasAttribute("data-low")) clock.toggleAttribute("data-low", low);
      if (clock.dataset.what === "turn" && root.dataset.mine === "1") {
        mine = text;
        warn(at, at - time);
      }
      if (clock.dataset.what === "claim" && root.dataset.mine === "1") warnOfClaim(at, at - time);
    }
    for (const button of document.querySelectorAll("[data-from]")) {
      const early = Number(button.dataset.from) > time;
      if (button.hidden !== early) button.hidden = early;
    }
    let title = plainTitle;
    if (root.dataset.mine === "1") title = `${mine ? `${mine} ` : ""}${texts.turn} · ${plainTitle}`;
    if (document.title !== title) document.title = title;
  };
  setInterval(House.tick, 250);
})();
