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

  // ---- what the rules say of a deal: its sizes, whether there is a boneyard, whether a lot is due
  const DRAWS = new Map([
    ["partners", () => false],
    ["draw", () => true],
    ["classic", (players) => players === 2],
    ["fives", () => true],
  ]);
  const lotDue = (rules, options) =>
    (rules === "fives" && options.opens == null) || (rules === "partners" && !options.double_six_opens);

  /** What is wrong: `what` names the sentence, the rest what stands in it. */
  class Fault extends Error {
    constructor(what, about) {
      super(what);
      this.about = { what, ...about };
    }
  }

  const same = (where, given, due, about) => {
    if (!Array.isArray(given) || given.length !== due.length) {
      throw new Fault(`${where}_size`, { ...about, due: due.length });
    }
    const place = due.findIndex((tile, at) => given[at] !== tile);
    if (place < 0) return;
    throw new Fault(`${where}_tile`, { ...about, place: place + 1, tile: given[place], due: due[place] });
  };

  const hex = (text, shape) => {
    if (typeof text !== "string" || !shape.test(text)) throw new Fault("hex");
    return text.toLowerCase();
  };

  const proofOf = ({ fair, options, hands }) => {
    if (fair == null) throw new Fault("no_proof");
    if (!Array.isArray(fair.seeds) || fair.seeds.length !== options.players) throw new Fault("seeds");
    const seeds = fair.seeds.map((seed) => hex(seed, /^[0-9a-f]{0,64}$/i));
    const [commit, ...values] = [fair.commit, ...fair.hands].map((one) => hex(one, /^[0-9a-f]{64}$/i));
    if (values.length !== hands.length) {
      throw new Fault("counts", { hands: hands.length, values: values.length });
    }
    const chain = [commit, ...values];
    const broken = values.findIndex((value, at) => toHex(sha256(fromHex(value))) !== chain[at]);
    return { commit, seeds, values, broken };
  };

  const check = (record) => {
    const { rules, options, hands } = record;
    const { commit, seeds, values, broken } = proofOf(record);
    const draws = DRAWS.get(rules)(options.players);
    const size = rules === "draw" && options.players > 2 ? 5 : 7;
    const left = new Set();
    hands.forEach(({ lot, racks, boneyard, moves }, index) => {
      const hand = index + 1;
      if (index === broken) throw new Fault("chain", { hand });
      const key = fromHex(values[index]);
      const deck = shuffled(key, `${commit}:${hand}:${seeds.join(",")}`);
      // A wrong tile in the first hand may also come of a wrong seed: every deal then looks wrong.
      const about = { hand, doubt: index === 0 && broken < 0 };
      if (index === 0 && lotDue(rules, options)) {
        same("lot", lot, shuffled(key, `${commit}:lot:${seeds.join(",")}`).slice(0, seeds.length), about);
      } else if (lot !== undefined) {
        throw new Fault("no_lot", about);
      }
      if (racks.length !== seeds.length) throw new Fault("racks", { ...about, due: seeds.length });
      racks.forEach((rack, seat) => {
        if (!left.has(seat)) same("rack", rack, deck.splice(0, size), { ...about, seat });
        else if (rack !== null) throw new Fault("left", { ...about, seat });
      });
      same("boneyard", boneyard, draws ? deck : [], about);
      seeds.forEach((_seed, seat) => moves.includes(`leave ${seat}`) && left.add(seat));
    });
  };

  /**
   * Checks a record. Gives null where every deal is right, else what is wrong first: `what`, and with
   * it `hand`, `seat`, `place`, `tile`, `due`; `doubt` where a changed seed may be behind it.
   */
  House.verify = (record) => {
    try {
      check(record);
      return null;
    } catch (fault) {
      return fault instanceof Fault ? fault.about : { what: "no_record" };
    }
  };

  // ---- <button data-prove="address of the record">, an <output>, and the sentences as JSON
  const seedGiven = (commit) => {
    try {
      return localStorage.getItem(`seed:${String(commit).toLowerCase()}`);
    } catch {
      return null; // a browser that keeps nothing
    }
  };

  const sentences = (record, texts) => {
    const filled = (text, about) => text.replace(/%\((\w+)\)s/g, (_all, name) => String(about[name]));
    const fault = House.verify(record);
    const said = [];
    if (!fault) said.push(filled(record.hands.length === 1 ? texts.right_one : texts.right, { hands: record.hands.length }));
    else {
      const name = record?.players?.[fault.seat];
      const seat = filled(name ? texts.seat_of : texts.seat, { seat: fault.seat + 1, name });
      said.push(filled(texts[fault.what], { ...fault, seat }));
      if (fault.doubt && fault.what.endsWith("_tile")) said.push(texts.doubt);
    }
    const { commit, seeds } = record?.fair ?? {};
    const own = seedGiven(commit);
    if (own && Array.isArray(seeds)) {
      said.push(seeds.some((seed) => String(seed).toLowerCase() === own) ? texts.own : texts.other);
    }
    return said.join(" ");
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-prove]");
    if (!button) return;
    const output = document.getElementById(button.dataset.output);
    const texts = JSON.parse(document.getElementById("proof-texts").textContent);
    button.disabled = true;
    try {
      const answer = await fetch(button.dataset.prove);
      if (!answer.ok) throw new Error(String(answer.status));
      output.textContent = sentences(await answer.json(), texts);
    } catch {
      output.textContent = texts.failed;
    }
    button.disabled = false;
  });
  for (const button of document.querySelectorAll("[data-prove]")) button.hidden = false;
})();
