// Picking up and playing. The rail is a radio group and every control a submit button, so that all
// of it works without this file; here are the short ways: a tap on an end of the line or on the
// cloth, Enter, L R U D, and what each player may switch on.
(() => {
  "use strict";
  const House = (window.House ||= {});
  const root = document.getElementById("table");
  const form = document.getElementById("act");
  const texts = JSON.parse(document.getElementById("texts").textContent);
  const find = (selector) => root.querySelector(selector);
  const all = (selector) => [...root.querySelectorAll(selector)];

  House.pref = (name) => Boolean(document.querySelector(`#prefs [name="${name}"]`)?.checked);
  House.picked = () => find("#rail input:checked")?.value;

  const moves = () => all('#controls button[name="move"]');
  const movesOf = (tile) => moves().filter((button) => button.dataset.for === tile);
  const plain = () => moves().filter((button) => !button.dataset.for);
  const KEYS = { l: "left", r: "right", u: "up", d: "down" };
  const keyOf = (button) => button.dataset.to[0].toUpperCase();

  // ---- the ends that take the picked-up tile light up
  House.showFits = () => {
    const line = document.getElementById("line");
    const tile = House.picked();
    const ends = tile ? movesOf(tile).map((button) => button.dataset.to).filter(Boolean) : [];
    if (ends.length) line.dataset.fits = ends.join(" ");
    else delete line.dataset.fits;
  };

  // ---- pressing a button, asking again where the player wants that
  let armed = null; // the move that was pressed once, and the position that it was for
  const arm = (move) => (armed = { move, at: House.position() });
  const disarm = () => {
    armed = null;
    House.note("");
  };
  House.mayPlay = (button) => {
    if (!House.pref("confirm") || armed?.move === button.value) {
      disarm();
      return true;
    }
    arm(button.value);
    House.note(texts.confirm);
    return false;
  };
  const press = (button) => form.requestSubmit(button);

  House.playOn = (end) => {
    const tile = House.picked();
    if (!tile) {
      if (root.dataset.mine === "1" && moves().some((b) => b.dataset.for)) House.note(texts.pick);
      return;
    }
    const found = movesOf(tile);
    const button = end ? found.find((b) => b.dataset.to === end) : found.length === 1 && found[0];
    if (button) press(button);
    else if (!end && found.length) House.note(texts.several.replace("%s", found.map(keyOf).join(", ")));
    else if (root.dataset.mine === "1" && moves().length) House.note(texts.no_fit);
  };

  // ---- tapping: an end on the table, or the cloth where there is but one way
  root.addEventListener("click", (event) => {
    const end = event.target.closest?.("#line [data-end]");
    if (end) {
      House.playOn(end.dataset.end);
      return;
    }
    if (event.target.closest?.("#line") && House.picked() && movesOf(House.picked()).length === 1) {
      House.playOn();
    }
  });
  let byPointer = false;
  root.addEventListener("pointerup", () => {
    byPointer = true;
    setTimeout(() => (byPointer = false), 400);
  });
  root.addEventListener("change", (event) => {
    if (!event.target.matches("#rail input")) return;
    disarm();
    House.showFits();
    // Arrow keys pass over tiles on the way to another: only a tap plays at once.
    const only = movesOf(event.target.value);
    if (byPointer && House.pref("at_once") && only.length === 1) press(only[0]);
  });

  // ---- keys, only while the focus is in the table
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    const key = event.key.toLowerCase();
    if (key === "enter" && target.matches("#rail input")) {
      event.preventDefault();
      const only = plain();
      if (only.length === 1 && !moves().some((b) => b.dataset.for)) press(only[0]);
      else House.playOn();
    } else if (KEYS[key]) {
      event.preventDefault();
      House.playOn(KEYS[key]);
    } else if (key === "a") {
      House.sayAgain();
    } else if (key === "e") {
      const ends = all("#line [data-end]").map((b) => `${texts[b.dataset.end]} ${b.dataset.value}`);
      House.say(`${texts.ends}: ${ends.join(", ") || "–"}`);
    } else if (key === "s") {
      const lines = all("#score .sc").map((item) => item.innerText.replace(/\s+/g, " ").trim());
      House.say(`${texts.score}: ${lines.join(", ")}`);
    } else if (key === "t") {
      House.toRail();
    } else if (key === "escape") {
      const input = find("#rail input:checked");
      if (input && target.closest("#act")) {
        input.checked = false;
        disarm();
        House.showFits();
      }
    }
  });
  // The first of those that can be seen takes the focus; says whether there was one.
  const focusFirst = (selectors) => {
    const seen = all(selectors).find((node) => node.getClientRects().length);
    seen?.focus({ preventScroll: true });
    return Boolean(seen);
  };
  House.focusIn = (place) => focusFirst(`${place} :is(button:enabled, a[href], summary)`);
  // Between hands the rail is empty, and a phone hides it: then to what carries on, or to what is
  // told. Never to whatever comes first: a second press under way could stand somebody up.
  House.toRail = () =>
    focusFirst("#rail input:checked") ||
    focusFirst("#rail input") ||
    focusFirst("#controls :is(.btn--play, [value=ready], [name=move]):enabled") ||
    focusFirst("#status");

  // ---- after a picture: what the player asked to be done for them
  let knocked = "";
  House.onPicture = () => {
    House.showFits();
    // The clock may have played meanwhile: what was pressed once was meant for another position.
    if (armed && (armed.at !== House.position() || root.dataset.mine !== "1")) disarm();
    if (root.dataset.mine !== "1") return;
    const only = moves();
    const pass = only.length === 1 && only[0].value === "knock" ? only[0] : null;
    if (!pass || !House.pref("knock_for_me") || knocked === root.dataset.seq) return;
    knocked = root.dataset.seq;
    // Long enough that the table sees who is on turn.
    setTimeout(() => {
      if (root.dataset.seq !== knocked || !pass.isConnected) return;
      arm(pass.value); // whoever has it done for them need not be asked again
      press(pass);
    }, 900);
  };

  // ---- the player's own settings, kept by the server and applied at once
  const prefs = document.getElementById("prefs");
  const apply = () => {
    root.toggleAttribute("data-left", House.pref("left"));
    const aid = prefs?.elements.namedItem("aid");
    if (aid) root.dataset.aid = aid.checked ? "1" : "0";
  };
  apply();
  const save = async () => {
    const headers = { "X-Requested-With": "fetch" };
    try {
      const answer = await fetch(prefs.action, { method: "POST", body: new FormData(prefs), headers });
      if (answer.status !== 204) throw new Error(String(answer.status));
    } catch {
      House.note(texts.unkept);
    }
  };
  prefs?.addEventListener("change", () => {
    apply();
    House.onPicture();
    save();
  });
})();
