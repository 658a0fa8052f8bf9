// The table page, live: takes the pictures that the server pushes and morphs them into the page, and
// sends what the page's one form asks. Focus, picked-up tile, scroll and half-written forms stay.
(() => {
  "use strict";
  const House = (window.House ||= {});
  const root = document.getElementById("table");
  const form = document.getElementById("act");
  const texts = JSON.parse(document.getElementById("texts").textContent);
  const byId = (id) => document.getElementById(id);
  const hex = (bytes) =>
    [...crypto.getRandomValues(new Uint8Array(bytes))].map((b) => b.toString(16).padStart(2, "0")).join("");

  // ---- what is spoken: one sentence a change; interrupting only for one's turn and a low clock
  let lastSaid = "";
  House.say = (text, keep = false) => {
    if (!text) return;
    if (keep) lastSaid = text;
    const line = byId("say");
    // The same sentence twice is no change to a screen reader unless it was empty in between.
    line.textContent = "";
    requestAnimationFrame(() => (line.textContent = text));
  };
  House.call = (text) => {
    const line = byId("alert");
    line.textContent = "";
    requestAnimationFrame(() => (line.textContent = text));
  };
  House.sayAgain = () => {
    const status = byId("status")?.innerText.replace(/\s+/g, " ").trim() ?? "";
    House.say(`${lastSaid} ${status}`.trim());
  };
  byId("again").hidden = false;
  byId("again").addEventListener("click", House.sayAgain);
  House.note = (text) => {
    const note = byId("note");
    if (note.textContent === text) return;
    note.textContent = text;
    note.hidden = !text;
    if (text) House.say(text);
  };
  const connection = (text) => {
    const bar = byId("conn");
    if (bar.textContent === text) return;
    bar.textContent = text;
    bar.hidden = !text;
    House.say(text || texts.back);
  };

  // ---- taking a picture
  const keep = {
    morphStyle: "outerHTML",
    callbacks: {
      // What the person at the screen has opened or picked up is theirs.
      beforeAttributeUpdated: (name) => !["checked", "open", "aria-pressed"].includes(name),
    },
  };
  let seq = Number(root.dataset.seq);
  let hand = root.dataset.hand;

  const morph = (parts) => {
    const focused = document.activeElement;
    const inHand = form.contains(focused);
    for (const [id, html] of Object.entries(parts)) {
      const part = byId(id);
      if (part) Idiomorph.morph(part, html, keep);
    }
    Object.assign(root.dataset, byId("me").dataset);
    if (root.dataset.hand !== hand) {
      hand = root.dataset.hand;
      for (const input of root.querySelectorAll("#rail input:checked")) input.checked = false;
    }
    // The tile or button that had the focus is gone: stay at the rail.
    if (inHand && !form.contains(document.activeElement)) House.toRail();
  };

  const take = (message) => {
    if (message.seq < seq) return;
    seq = message.seq;
    root.dataset.seq = String(seq);
    if (message.now) House.setNow(message.now);
    const wasMine = root.dataset.mine === "1";
    const wasStatus = root.dataset.status;
    const before = House.scoresNow();
    const moved = byId("last").dataset.ply;
    morph(message.html);
    const { ply, sound } = byId("last").dataset;
    if (ply !== moved && sound) House.sound(sound);
    House.countUp(before);
    House.showTalk();
    House.showMutes();
    House.tick();
    House.say(message.say, true);
    busy = false;
    const last = byId("last").dataset;
    const theirs = last.ply !== moved && last.by !== root.dataset.you;
    if (root.dataset.mine === "1" && (!wasMine || theirs)) {
      House.call(texts.turn);
      House.sound("turn");
      House.shake(60);
    }
    House.onPicture();
    giveSeed();
    if (wasStatus !== root.dataset.status) settle();
  };

  // A page that was made while a match was on has no invitation: fetch it.
  const settle = async () => {
    if (root.dataset.status === "open" && !byId("invite")) await refetch().catch(() => {});
  };

  // ---- the socket
  let socket = null;
  let tries = 0;
  let over = false;
  let alive = null;
  let busy = false;
  let greeted = false;
  const waiting = new Map(); // what was asked and not answered yet, by id: {message, at}
  let unasked = ""; // the id of the seed that was given: what comes of it concerns nobody

  const transmit = (message) => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  };
  House.send = (message) => transmit({ id: hex(12), ...message });

  // Ask, and ask again on the next socket unless an answer came: what goes down a dead line is lost
  // without a word. The server knows an id that it has taken already.
  const ask = (message) => {
    if (!transmit(message)) return false;
    waiting.set(message.id, { message, at: Date.now() });
    return true;
  };
  const STILL_MEANT = 30000; // a move is made for one picture; anything else is for the moment
  const askAgain = () => {
    for (const [id, { message, at }] of waiting) {
      if (message.type === "move" || Date.now() - at < STILL_MEANT) transmit(message);
      else waiting.delete(id);
    }
  };

  const ENDS = { 4404: "gone", 4401: "signed_out", 4403: "removed", 4429: "flood" };
  const PATIENCE = 10000; // for a socket to open and bring its first picture
  const open = () => {
    if (over || socket) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const mine = new WebSocket(`${scheme}//${location.host}/ws/table/${root.dataset.code}/`, "dominoes.html.v1");
    socket = mine;
    greeted = false;
    clearTimeout(alive);
    alive = setTimeout(unheard, PATIENCE);
    mine.onmessage = (event) => socket === mine && hear(JSON.parse(event.data));
    mine.onclose = (event) => {
      if (socket !== mine) return;
      socket = null;
      clearTimeout(alive);
      busy = false;
      if (ENDS[event.code]) {
        over = true;
        connection(texts[ENDS[event.code]]);
        return;
      }
      // A blink that heals at once need not be told.
      if (tries > 0 || event.code === 1012) connection(event.code === 1012 ? texts.busy : texts.lost);
      const pause = Math.min(8000, 300 * 2 ** tries) * (0.7 + Math.random() * 0.6);
      tries += 1;
      setTimeout(open, pause);
    };
  };
  const again = () => {
    if (over) return;
    const old = socket;
    socket = null;
    old?.close();
    tries = 0;
    open();
  };
  // Nothing comes any more though the socket was never closed: so it is with a phone that slept.
  const unheard = () => {
    if (over) return;
    connection(texts.lost);
    again();
  };

  const hear = (message) => {
    clearTimeout(alive);
    if (message.type === "table") {
      take(message);
      if (!greeted) {
        greeted = true;
        tries = 0;
        connection("");
        askAgain();
      }
    } else if (message.type === "said") {
      House.said(message.seat, message.phrase);
    } else if (message.type === "ok") {
      waiting.delete(message.id);
    } else if (message.type === "error") {
      waiting.delete(message.id);
      if (message.id === unasked) return;
      busy = false;
      House.note(message.detail);
    } else if (message.type === "pong" && message.seq > seq) {
      again();
    }
  };

  const ping = (patience) => {
    if (!transmit({ type: "ping" })) return;
    clearTimeout(alive);
    alive = setTimeout(unheard, patience);
  };
  setInterval(() => document.visibilityState === "visible" && ping(8000), 20000);
  // Back in sight: ask whether the socket still lives; after a while away it hardly does.
  const LONG = 20000;
  let wentAt = null; // by the device's clock, which goes on while it sleeps
  const went = () => (wentAt ??= Date.now());
  const back = () => {
    const away = wentAt === null ? 0 : Date.now() - wentAt;
    wentAt = null;
    if (away > LONG) unheard();
    else if (socket?.readyState === WebSocket.OPEN) ping(2000);
    else again();
    stayAwake();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") back();
    else went();
  });
  document.addEventListener("freeze", went);
  document.addEventListener("resume", () => document.visibilityState === "visible" && back());
  addEventListener("offline", () => over || connection(texts.lost));
  addEventListener("online", again);
  addEventListener("pageshow", (event) => event.persisted && again());

  // ---- what the form asks
  const BY_SOCKET = new Set(["ready", "leave", "offer_draw", "accept_draw", "claim"]);
  document.addEventListener("submit", (event) => {
    if (event.target !== form) return;
    const button = event.submitter;
    if (!button) {
      event.preventDefault();
      return;
    }
    if (button.name === "move") {
      event.preventDefault();
      if (!busy && House.mayPlay(button)) play(button.value);
    } else {
      event.preventDefault();
      // Whoever taps twice leaves one match once, not their seat as well.
      const id = button.value === "leave" ? `leave:${root.dataset.match}` : hex(12);
      if (!BY_SOCKET.has(button.value) || !ask({ type: button.value, id })) post(button);
    }
  });

  const play = (move) => {
    const message = { type: "move", id: hex(12), seq, move };
    House.note("");
    if (ask(message)) {
      busy = true;
      setTimeout(() => (busy = false), 4000);
    } else {
      post({ name: "move", value: move }, message.id);
    }
  };

  // By form: a seat taken, a bot put, or anything while the socket is away. The answer is the page.
  const post = async (button, id) => {
    const body = new FormData(form);
    body.set("seq", String(seq));
    body.set(button.name, button.value);
    if (id) body.set("id", id);
    if (button.dataset && "seeded" in button.dataset) body.set("seed", newSeed());
    try {
      await refetch(form.action, { method: "POST", body });
    } catch {
      connection(texts.lost);
    }
  };
  const refetch = async (url = location.href, options = {}) => {
    const answer = await fetch(url, options);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("table");
    if (!fresh) {
      location.assign(answer.url);
      return;
    }
    if (Number(fresh.dataset.seq) < seq) return;
    const parts = {};
    for (const part of fresh.querySelectorAll("#messages, #invite, #me, #score, #facts, #seats, #menus, #line, #last, #result, #sheet, #status, #controls, #rail, #aid, #leave")) {
      parts[part.id] = part.outerHTML;
    }
    if (parts.invite && !byId("invite")) root.querySelector(".middle").after(page.getElementById("invite"));
    take({ seq: Number(fresh.dataset.seq), html: parts, say: "" });
    const told = byId("messages").innerText.trim();
    if (told) House.say(told);
  };

  // ---- a seed for the deals to come, given once for each seal
  let seeded = "";
  const newSeed = () => {
    const seed = hex(32);
    seeded = root.dataset.commit;
    try {
      localStorage.setItem(`seed:${root.dataset.commit}`, seed);
    } catch {
      // A browser that keeps nothing gives seeds all the same.
    }
    return seed;
  };
  const giveSeed = () => {
    const { you, commit, status } = root.dataset;
    if (you === "" || !commit || status === "playing" || status === "between") return;
    if (seeded !== commit && socket?.readyState === WebSocket.OPEN) {
      unasked = hex(12);
      House.send({ id: unasked, type: "seed", seed: newSeed() });
    }
  };

  // ---- the screen stays on where the browser lets it (not over plain HTTP)
  let lock = null;
  const stayAwake = async () => {
    if (lock && !lock.released) return;
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      const words = byId("awake");
      if (words && !navigator.wakeLock) words.hidden = false;
    }
  };
  addEventListener("pointerdown", stayAwake, { once: true });

  House.showMutes();
  House.tick();
  House.onPicture();
  open();
})();
