// Set phrases: a bubble at the seat, a sentence for those who listen, and not to hear a seat at all.
(() => {
  "use strict";
  const House = (window.House ||= {});
  const root = document.getElementById("table");
  const texts = JSON.parse(document.getElementById("texts").textContent);
  const panel = document.getElementById("talk");
  const muted = new Set();
  const bubbles = new Map(); // seat → { text, until }
  const LASTS = 6000;

  const nameOf = (seat) => {
    const names = root.querySelector(`[data-seat="${seat}"] .nm`);
    return (names?.querySelector(".they") || names)?.textContent ?? "";
  };

  House.said = (seat, phrase) => {
    const text = texts.phrases[phrase];
    if (!text || muted.has(nameOf(seat))) return;
    bubbles.set(seat, { text, until: performance.now() + LASTS });
    House.showTalk();
    House.say(`${nameOf(seat)}: ${text}`);
    setTimeout(House.showTalk, LASTS + 50);
  };

  // Bubbles are no part of the pictures that are pushed, so they are put back after each.
  House.showTalk = () => {
    for (const old of root.querySelectorAll(".said")) old.remove();
    for (const [seat, { text, until }] of bubbles) {
      if (until < performance.now()) {
        bubbles.delete(seat);
        continue;
      }
      const place = root.querySelector(`.seat[data-seat="${seat}"]`);
      const bubble = document.createElement("p");
      bubble.className = "said";
      bubble.setAttribute("aria-hidden", "true");
      bubble.textContent = text;
      place?.append(bubble);
    }
  };

  House.showMutes = () => {
    const box = document.getElementById("mutes");
    if (!box) return;
    const seats = [...root.querySelectorAll(".seat[data-seat]")].filter(
      (seat) => seat.dataset.seat !== root.dataset.you && !["bot", "free"].includes(seat.dataset.state),
    );
    const wanted = seats.map((seat) => nameOf(seat.dataset.seat));
    const there = [...box.children].map((button) => button.dataset.name);
    if (wanted.join("\n") === there.join("\n")) return;
    box.replaceChildren(
      ...wanted.map((name) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "btn btn--quiet btn--small";
        button.dataset.name = name;
        button.setAttribute("aria-pressed", String(muted.has(name)));
        button.textContent = texts.mute.replace("%s", name);
        return button;
      }),
    );
  };

  if (panel) panel.hidden = false;
  panel?.addEventListener("click", (event) => {
    const phrase = event.target.closest("[data-say]");
    if (phrase) House.send({ type: "say", phrase: phrase.dataset.say });
    const mute = event.target.closest("[data-name]");
    if (mute) {
      const { name } = mute.dataset;
      if (!muted.delete(name)) muted.add(name);
      mute.setAttribute("aria-pressed", String(muted.has(name)));
      mute.textContent = (muted.has(name) ? texts.unmute : texts.mute).replace("%s", name);
    }
  });
})();
