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
  // What comes within one frame is spoken together: else the later would put out the earlier.
  const AT_ONCE = 4; // while nobody looks at the page no frame comes: then the latest are enough
  const speaker = (id) => {
    const told = [];
    return (text) => {
      const line = byId(id);
      // The same sentence twice is no change to a screen reader unless it was empty in between.
      line.textContent = "";
      if (!told.length) requestAnimationFrame(() => (line.textContent = told.splice(0).join(" ")));
      if (!told.includes(text)) told.push(text);
      if (told.length > AT_ONCE) told.shift();
    };
  };
  const speak = speaker("say");
  let lastSaid = "";
  House.say = (text, keep = false) => {
    if (!text) return;
    if (keep) lastSaid = text;
    speak(text);
  };
  House.call = speaker("alert");
  House.sayAgain = () => {
    const status = byId("status")?.innerText.replace(/\s+/g, " ").trim() ?? "";
    House.say(`${lastSaid} ${status}`.trim());
  };
  byId("again").hidden = false;
  byId("again").addEventListener("click", House.sayAgain);
  House.note = (text) => {
    const note = byId("note");
    if (note.textContent !== text) note.textContent = text;
    note.hidden = !text;
    House.say(text); // also when it stands there already: it was asked for once more
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
      // "Copied" stands as long as the link does.
      beforeNodeMorphed: (old) => !old.matches?.("[data-copy]"),
    },
  };
  let seq = Number(root.dataset.seq);
  let hand = root.dataset.hand;

  // Whoever plays by keys is led on when what had the focus is gone; a tap needs no leading.
  let byKeys = false;
  addEventListener("keydown", () => (byKeys = true), true);
  addEventListener("pointerdown", () => (byKeys = false), true);
  // What outlasts a picture round the thing that has the focus; nothing for rail and buttons.
  const placeOf = (focused) => {
    const seat = focused.closest(".seat");
    if (seat) return `.seat[data-seat="${seat.dataset.seat}"]`;
    return focused.closest("#leave") ? "#leave" : "";
  };
  const adrift = () => {
    const now = document.activeElement;
    return !now || now === document.body || now.matches(":disabled") || !now.getClientRects().length;
  };

  // Where the match stands. Pictures of who came and went have another `seq` and the same position.
  House.position = () => [root.dataset.match, root.dataset.hand, byId("last").dataset.ply].join("/");

  const morph = (parts) => {
    const focused = document.activeElement;
    const inTable = root.contains(focused);
    const place = inTable ? placeOf(focused) : "";
    for (const [id, html] of Object.entries(parts)) {
      const part = byId(id);
      if (part) Idiomorph.morph(part, html, keep);
    }
    Object.assign(root.dataset, byId("me").dataset);
    const dealt = root.dataset.hand !== hand;
    if (dealt) {
      hand = root.dataset.hand;
      for (const input of root.querySelectorAll("#rail input:checked")) input.checked = false;
    }
    // The tile or button that had the focus is gone: stay where it was, else at the rail.
    if (inTable && adrift()) (place && House.focusIn(place)) || House.toRail();
    const waits = adrift() || document.activeElement === byId("status");
    if (byKeys && dealt && waits) House.toRail();
  };

  const take = (message) => {
    if (message.seq < seq) return;
    seq = message.seq;
    root.dataset.seq = String(seq);
    if (message.now) House.setNow(message.now);
    const wasMine = root.dataset.mine === "1";
    const wasStatus = root.dataset.status;
    const wasHand = root.dataset.hand;
    const before = House.scoresNow();
    const moved = byId("last").dataset.ply;
    morph(message.html);
    const turned = wasStatus !== root.dataset.status || wasHand !== root.dataset.hand;
    // What was told about the room or the hand before is old; an answer brings its own.
    if (turned && !message.html.messages) byId("messages").replaceChildren();
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
    renew();
  };

  // A page that was made while a match was on has no invitation: fetch it.
  const settle = async () => {
    if (root.dataset.status === "open" && !byId("invite")) await refetch().catch(() => {});
  };

  // What no picture brings: a seat's own part of the menu for whoever sat down here, and the name,
  // rules and menu of another game that the host chose. Such a page is loaded anew.
  const { choices } = root.dataset;
  const outdated = () => {
    if (root.dataset.you !== "" && !byId("prefs")) return true;
    return root.dataset.status === "open" && choices !== root.dataset.choices;
  };
  // Should page and pictures never agree, it is not loaded again and again.
  const RESTED = 5000;
  const reloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  let renewing = null;
  const renew = () => {
    clearTimeout(renewing);
    if (!outdated()) return;
    const rested = !reloaded || performance.now() >= RESTED;
    if (!rested || byId("messages").children.length) renewing = setTimeout(reload, RESTED);
    else reload();
  };
  // What is under way comes first: its answer may tell something.
  let leaving = false;
  const reload = () =>
    line.then(() => {
      if (!outdated()) return;
      leaving = true;
      location.reload();
    });

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
  const ANSWERED = 5000; // an answer takes no longer; whatever comes shows that the line lives
  const ask = (message) => {
    if (!transmit(message)) return false;
    waiting.set(message.id, { message, at: Date.now() });
    if (greeted) listen(ANSWERED);
    return true;
  };
  const STILL_MEANT = 30000; // a move is made for one picture; anything else is for the moment
  const askAgain = () => {
    if (waiting.size) listen(ANSWERED);
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
    heard();
    listen(PATIENCE);
    mine.onmessage = (event) => socket === mine && hear(JSON.parse(event.data));
    mine.onclose = (event) => {
      if (socket !== mine) return;
      socket = null;
      heard();
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
    heard();
    if (over) return;
    connection(texts.lost);
    again();
  };
  let deadline = 0;
  const heard = () => {
    clearTimeout(alive);
    alive = null;
  };
  const listen = (patience) => {
    const at = performance.now() + patience;
    if (alive && deadline <= at) return; // something is waited for that is due before
    clearTimeout(alive);
    deadline = at;
    alive = setTimeout(unheard, patience);
  };

  const hear = (message) => {
    heard();
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
      if (message.id === tried?.id) triedAt = ""; // tried again, it is made on what is shown then
      busy = false;
      House.note(message.detail);
    } else if (message.type === "pong" && message.seq > seq) {
      again();
    }
  };

  const ping = (patience) => {
    if (transmit({ type: "ping" })) listen(patience);
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

  // The same move pressed again, because nothing seems to happen, is the same message: on a line that
  // was dead it would else go out twice, and the second be refused. Another one takes its place.
  let tried = null;
  let triedAt = ""; // the position that it was tried in
  let freeing = null;
  const play = (move) => {
    if (triedAt !== House.position() || tried.move !== move) {
      waiting.delete(tried?.id);
      tried = { type: "move", id: hex(12), seq, move };
      triedAt = House.position();
    }
    House.note("");
    if (ask(tried)) {
      busy = true;
      clearTimeout(freeing);
      freeing = setTimeout(() => (busy = false), 4000);
    } else {
      post({ name: "move", value: move }, { id: tried.id, seq: String(tried.seq) });
      triedAt = "";
    }
  };

  // By form: a seat taken, a bot put, or anything while the socket is away. The answer is the page.
  // One after the other, since each shows another table; and what is under way isn't sent twice: a
  // second tap on the same button would be refused, and tell of an error.
  const PATIENT = 10000;
  const under = new Set();
  let line = Promise.resolve();
  const post = ({ name, value, dataset }, more = {}) => {
    const what = `${name}=${value}`;
    if (under.has(what)) return;
    under.add(what);
    House.note("");
    const seeded = dataset && "seeded" in dataset;
    line = line.then(() => carry({ [name]: value, ...more, ...(seeded && { seed: newSeed() }) }));
    line.then(() => under.delete(what));
  };
  const carry = async (fields) => {
    const body = new FormData(form);
    for (const [name, value] of Object.entries({ seq: String(seq), ...fields })) body.set(name, value);
    const given = new AbortController();
    const late = setTimeout(() => given.abort(), PATIENT);
    try {
      await refetch(form.action, { method: "POST", body, signal: given.signal });
    } catch {
      if (!leaving) House.note(texts.unsent);
    }
    clearTimeout(late);
  };

  const PARTS = ["messages", "invite", "me", "score", "facts", "seats", "menus", "line", "last", "result", "sheet", "seal", "status", "controls", "rail", "aid", "leave"];
  const refetch = async (url = location.href, options = {}) => {
    const answer = await fetch(url, options);
    if (answer.status >= 500) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("table");
    if (!fresh) {
      // What was posted can't be looked at by its address: then this page's own says what is wrong.
      if (options.method === "POST" && !answer.redirected) location.reload();
      else location.assign(answer.url);
      return;
    }
    // They are spoken below, once: not by the browser as well.
    for (const item of fresh.querySelectorAll("#messages [role]")) item.removeAttribute("role");
    const html = {};
    for (const id of PARTS) {
      const part = page.getElementById(id);
      if (part) html[id] = part.outerHTML;
    }
    if (Number(fresh.dataset.seq) < seq) {
      Idiomorph.morph(byId("messages"), html.messages, keep); // the rest is older than what is shown
    } else {
      if (html.invite && !byId("invite")) root.querySelector(".middle").after(page.getElementById("invite"));
      take({ seq: Number(fresh.dataset.seq), html, say: "" });
    }
    House.say(byId("messages").innerText.trim());
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
