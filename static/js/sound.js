// The sounds of the table, made on the spot: bone on wood, a knuckle, a bell. No files to load.
// Each can be switched off (the form #prefs); a phone in hand also shakes for one's own turn.
(() => {
  "use strict";
  const House = (window.House ||= {});
  let context;

  const root = document.getElementById("table");
  const box = (name) => document.querySelector(`#prefs [name="${name}"]`);
  // Round one kitchen table the big screen in the middle sounds for everybody; whoever only looks on
  // at another table hears nothing.
  const wanted = (kind) => {
    if (root.classList.contains("t--screen")) return true;
    if (root.dataset.kind === "nearby" && !box("sound_nearby")?.checked) return false;
    return Boolean(box(`sound_${kind}`)?.checked);
  };

  // Browsers stay silent until the page was touched once.
  const unlock = () => {
    const Context = window.AudioContext || window.webkitAudioContext;
    if (!Context) return;
    context ||= new Context();
    // "suspended", or on an iPhone "interrupted", after a call or in another app.
    if (context.state !== "running") context.resume().catch(() => {});
  };
  for (const type of ["pointerdown", "keydown"]) {
    addEventListener(type, unlock, { capture: true, passive: true });
  }

  const envelope = (at, peak, seconds) => {
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(peak, at + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    gain.connect(context.destination);
    return gain;
  };

  const tone = (at, from, to, seconds, peak, shape = "sine") => {
    const source = context.createOscillator();
    source.type = shape;
    source.frequency.setValueAtTime(from, at);
    source.frequency.exponentialRampToValueAtTime(to, at + seconds);
    source.connect(envelope(at, peak, seconds));
    source.start(at);
    source.stop(at + seconds + 0.02);
  };

  const noise = (at, seconds, peak, type, frequency, sharpness) => {
    const frames = Math.ceil(context.sampleRate * seconds);
    const buffer = context.createBuffer(1, frames, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < frames; i++) samples[i] = Math.random() * 2 - 1;
    const source = context.createBufferSource();
    source.buffer = buffer;
    const filter = context.createBiquadFilter();
    filter.type = type;
    filter.frequency.value = frequency;
    filter.Q.value = sharpness;
    source.connect(filter).connect(envelope(at, peak, seconds));
    source.start(at);
  };

  const knock = (at, strength) => {
    tone(at, 150, 85, 0.11, 0.5 * strength);
    noise(at, 0.05, 0.25 * strength, "lowpass", 700, 0.7);
  };

  const made = {
    play(at) {
      noise(at, 0.05, 0.5, "bandpass", 2400, 2.5);
      tone(at, 210, 120, 0.09, 0.35);
    },
    knock(at) {
      knock(at, 1);
      knock(at + 0.15, 0.8);
    },
    draw(at) {
      noise(at, 0.16, 0.16, "bandpass", 1100, 1.2);
      noise(at + 0.14, 0.04, 0.3, "bandpass", 2000, 2.5);
    },
    blocked(at) {
      for (const n of [0, 1, 2]) knock(at + n * 0.2, 1 - n * 0.2);
      tone(at + 0.62, 196, 147, 0.5, 0.16, "triangle");
    },
    turn(at) {
      tone(at, 587, 585, 0.35, 0.13, "triangle");
      tone(at + 0.11, 784, 782, 0.5, 0.12, "triangle");
    },
    clock(at) {
      for (const n of [0, 0.25]) noise(at + n, 0.03, 0.4, "bandpass", 3300, 6);
    },
  };

  House.sound = (kind) => {
    if (!context || context.state !== "running" || !wanted(kind)) return;
    made[kind](context.currentTime + 0.01);
  };
  House.shake = (pattern) => {
    if (document.visibilityState === "visible") navigator.vibrate?.(pattern);
  };
})();
