// Set phrases: a bubble at the seat, a sentence for those who listen, and not to hear a seat at all.
(() => {
  "use strict";
  const House = (window.House ||= {});
  const root = document.getElementById("table");
  const texts = JSON.parse(document.getElementById("texts").textContent);
  const panel = document.getElementById("talk");
  const muted = new Set(kept());
  const bubbles = new Map(); // seat → { text, until }
  const LASTS = 6000;
  const TICKED = 2000;

  // Who is not to be heard stays so when the page is loaded again, as long as the tab is open.
  function kept() {
    try {
      return JSON.parse(sessionStorage.getItem("muted") ?? "[]");
    } catch {
      return [];
    }
  }
  const toggle = (name) => {
    if (!muted.delete(name)) muted.add(name);
    try {
      sessionStorage.setItem("muted", JSON.stringify([...muted]));
    } catch {
      // A browser that keeps nothing forgets it with the page.
    }
    for (const [seat] of bubbles) if (muted.has(nameOf(seat))) bubbles.delete(seat);
    House.showTalk();
    House.showMutes();
  };

  const nameOf = (seat) => {
    const names = root.querySelector(`[data-seat="${seat}"] .nm`);
    return (names?.querySelector(".they") || names)?.textContent ?? "";
  };

  House.said = (seat, phrase) => {
    const text = texts.phrases[phrase];
    if (!text || muted.has(nameOf(seat))) return;
    bubbles.set(seat, { text, until: performance.now() + LASTS });
    House.showTalk();
    if (String(seat) === root.dataset.you) tick(phrase);
    House.say(`${nameOf(seat)}: ${text}`);
    setTimeout(House.showTalk, LASTS + 50);
  };

  // A phone doesn't show its owner's seat, and so no bubble: the button says that it was heard.
  const tick = (phrase) => {
    const button = panel?.querySelector(`[data-say="${phrase}"]`);
    button?.setAttribute("data-heard", "");
    setTimeout(() => button?.removeAttribute("data-heard"), TICKED);
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
    for (const button of root.querySelectorAll("[data-mute]")) {
      button.setAttribute("aria-pressed", String(muted.has(nameOf(button.dataset.mute))));
    }
  };

  if (panel) panel.hidden = false;
  panel?.addEventListener("click", (event) => {
    const phrase = event.target.closest("[data-say]");
    if (phrase && !House.send({ type: "say", phrase: phrase.dataset.say })) House.note(texts.unsent);
  });
  root.addEventListener("click", (event) => {
    const mute = event.target.closest("[data-mute]");
    if (mute) toggle(nameOf(mute.dataset.mute));
  });
})();
