// Proves the deals of a finished match from its record alone (dominoes-deal/1), in plain JavaScript:
// a page on a home network over plain HTTP has no Web Crypto. The same check as `manage.py verify`.
(() => {
  "use strict";
  const House = (window.House ||= {});

  // ---- SHA-256 and HMAC on arrays of bytes
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
  const ROUND = primes.map((p) => fraction(Math.cbrt(p)));
  const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));

  const sha256 = (bytes) => {
    const length = bytes.length;
    const padded = new Uint8Array(((length + 72) >> 6) << 6);
    padded.set(bytes);
    padded[length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
    view.setUint32(padded.length - 4, (length << 3) >>> 0);
    const state = START.slice();
    const w = new Int32Array(64);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let block = 0; block < padded.length; block += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getInt32(block + i * 4);
      for (let i = 16; i < 64; i++) {
        const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
        const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
        const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = (state[i] + x) | 0));
    }
    const out = new Uint8Array(32);
    state.forEach((x, i) => new DataView(out.buffer).setInt32(i * 4, x));
    return out;
  };

  const joined = (first, second) => {
    const out = new Uint8Array(first.length + second.length);
    out.set(first);
    out.set(second, first.length);
    return out;
  };
  const hmac = (key, message) => {
    const inner = new Uint8Array(64).fill(0x36);
    const outer = new Uint8Array(64).fill(0x5c);
    key.forEach((byte, i) => {
      inner[i] ^= byte;
      outer[i] ^= byte;
    });
    return sha256(joined(outer, sha256(joined(inner, message))));
  };

  const toHex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
  const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const ascii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

  // ---- the shuffle
  const SET = [];
  for (let heavy = 0; heavy < 7; heavy++) for (let light = 0; light <= heavy; light++) SET.push(`${heavy}-${light}`);

  const shuffled = (key, label) => {
    let block = 0;
    let words = [];
    const word = () => {
      if (!words.length) {
        const view = new DataView(hmac(key, ascii(`${label}:${block++}`)).buffer);
        words = Array.from({ length: 8 }, (_, i) => view.getUint32(i * 4));
      }
      return words.shift();
    };
    const pick = (n) => {
      const limit = 2 ** 32 - (2 ** 32 % n);
      for (;;) {
        const w = word();
        if (w < limit) return w % n;
      }
    };
    const deck = SET.slice();
    for (let i = 27; i > 0; i--) {
      const j = pick(i + 1);
      [deck[i], deck[j]] = [deck[j], deck[i]];
    }
    return deck;
  };

  /** Checks a record; gives null when every deal is right, else { hand, what } of the first fault. */
  House.verify = (record) => {
    const fair = record.fair;
    if (!fair || !Array.isArray(fair.hands) || fair.hands.length < record.hands.length) {
      return { hand: 0, what: "missing" };
    }
    let before = fair.commit;
    const seeds = fair.seeds.join(",");
    for (const [index, hand] of record.hands.entries()) {
      const number = index + 1;
      const key = fromHex(fair.hands[index]);
      if (toHex(sha256(key)) !== before) return { hand: number, what: "chain" };
      before = fair.hands[index];
      if (hand.lot) {
        const drawn = shuffled(key, `${fair.commit}:lot:${seeds}`);
        if (hand.lot.some((tile, seat) => tile !== drawn[seat])) return { hand: number, what: "lot" };
      }
      const deck = shuffled(key, `${fair.commit}:${number}:${seeds}`);
      const dealt = hand.racks.flatMap((rack) => rack ?? []).concat(hand.boneyard);
      if (dealt.some((tile, place) => tile !== deck[place])) return { hand: number, what: "deal" };
    }
    return null;
  };

  // ---- <button data-prove="address of the record" data-right="…" data-wrong="…"> and an <output>
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-prove]");
    if (!button) return;
    const output = document.getElementById(button.dataset.output);
    button.disabled = true;
    try {
      const answer = await fetch(button.dataset.prove);
      if (!answer.ok) throw new Error(String(answer.status));
      const record = await answer.json();
      const fault = House.verify(record);
      const words = fault ? button.dataset.wrong : button.dataset.right;
      output.textContent = words
        .replace("%hands", String(record.hands.length))
        .replace("%hand", String(fault?.hand ?? ""));
      const own = localStorage.getItem(`seed:${record.fair?.commit}`);
      if (!fault && own && record.fair.seeds.includes(own)) output.append(` ${button.dataset.own}`);
    } catch {
      output.textContent = button.dataset.failed;
    }
    button.disabled = false;
  });
  for (const button of document.querySelectorAll("[data-prove]")) button.hidden = false;
})();
