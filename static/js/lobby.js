// The lobby's pages with a script: lists and waiting that keep themselves up to date, and a table's
// form that closes what does not go together. Without it pages reload and the server says no.
(() => {
  "use strict";

  // ---- <section id data-refresh="address" data-every="seconds" [data-awake] [data-go] [data-title]
  // [data-lost]>
  // asks for itself again and morphs into the answer. data-awake: also while nobody looks at the page
  // (whoever waits in a queue may read another tab); data-go: go there.
  const title = document.title;
  let called = "";

  const follow = (part) => {
    if (part.dataset.go) {
      location.replace(part.dataset.go);
      return false;
    }
    document.title = part.dataset.title ? `${part.dataset.title} · ${title}` : title;
    if (part.dataset.call && part.dataset.call !== called) {
      called = part.dataset.call;
      navigator.vibrate?.([200, 100, 200]);
    }
    return Boolean(part.dataset.refresh);
  };

  const PATIENCE = 10000;
  // "Copied" stands as long as the link does.
  const callbacks = { beforeNodeMorphed: (old) => !old.matches?.("[data-copy]") };

  // data-lost: said above the part when asking has failed twice, since it then only looks like
  // waiting. The next answer takes it away.
  const tellLost = (part) => {
    const line = document.createElement("p");
    line.className = "message message--error";
    line.setAttribute("role", "alert");
    part.before(line);
    line.textContent = part.dataset.lost;
    return line;
  };

  const watch = (id) => {
    let failures = 0;
    let lost = null;
    const again = () => {
      const part = document.getElementById(id);
      if (!part || !follow(part)) return;
      const pause = Number(part.dataset.every || 10) * Math.min(1 + failures, 5);
      setTimeout(look, pause * 1000, part);
    };
    const look = async (part) => {
      if (document.hidden && !("awake" in part.dataset)) {
        document.addEventListener("visibilitychange", () => look(part), { once: true });
        return;
      }
      try {
        const answer = await fetch(part.dataset.refresh, {
          headers: { "X-Requested-With": "fetch" },
          cache: "no-store",
          signal: AbortSignal.timeout?.(PATIENCE),
        });
        if (!answer.ok) throw new Error(String(answer.status));
        const html = (await answer.text()).trim();
        const now = document.getElementById(id);
        if (now) Idiomorph.morph(now, html, { morphStyle: "outerHTML", callbacks });
        failures = 0;
        lost?.remove();
        lost = null;
      } catch {
        failures += 1;
        if (failures > 1 && part.dataset.lost) lost ??= tellLost(document.getElementById(id));
      }
      again();
    };
    again();
  };
  for (const part of document.querySelectorAll("[data-refresh]")) watch(part.id);

  // ---- seconds left, counted from when the page said how many
  const ends = new WeakMap();
  setInterval(() => {
    for (const shown of document.querySelectorAll("[data-left]")) {
      const known = ends.get(shown);
      if (!known || known.said !== shown.dataset.left) {
        const at = performance.now() + Number(shown.dataset.left) * 1000;
        ends.set(shown, { said: shown.dataset.left, at });
      }
      const left = Math.max(0, Math.ceil((ends.get(shown).at - performance.now()) / 1000));
      if (shown.textContent !== String(left)) shown.textContent = String(left);
    }
  }, 250);

  // ---- a table's choices: what does not go together is closed, and what it counts for is said
  const radios = (form, name) => [...form.querySelectorAll(`input[name="${name}"][type="radio"]`)];
  const chosen = (form, name) => radios(form, name).find((radio) => radio.checked);
  const shut = (field, closed) => {
    field.disabled = closed || "shut" in field.dataset;
  };
  const choose = (form, name, fits) => {
    for (const radio of radios(form, name)) shut(radio, !fits(radio));
    const now = chosen(form, name);
    if (now?.disabled) {
      const other = radios(form, name).find((radio) => !radio.disabled);
      if (other) other.checked = true;
    }
  };

  const settle = (form) => {
    const system = chosen(form, "rules");
    const setups = (system?.dataset.setups || "").split(" ");
    choose(form, "setup", (radio) => setups.includes(radio.value));
    const nearby = chosen(form, "kind")?.value === "nearby";
    choose(form, "counts", (radio) => !(nearby && radio.value === "ranked"));
    choose(form, "access", (radio) => !(nearby && radio.value === "public"));
    const ranked = chosen(form, "counts")?.value === "ranked";
    const target = form.elements.target;
    target.placeholder = system?.dataset.target || "";
    target.disabled = ranked;
    const clock = form.elements.turn_seconds;
    clock.disabled = nearby;
    for (const option of clock.options) option.disabled = ranked && option.value === "0";
    if (ranked && clock.value === "0") clock.value = "60";
    form.elements.aid.disabled = ranked;
    form.elements.double_six_opens.disabled = ranked || system?.value !== "partners";
    const two = chosen(form, "setup")?.value.startsWith("2");
    const what = nearby ? "nearby" : !ranked ? "casual" : two ? "ranked-two" : "ranked-more";
    for (const said of form.querySelectorAll("[data-what]")) {
      said.hidden = said.dataset.what !== what;
    }
  };
  for (const form of document.querySelectorAll("[data-table-form]")) {
    form.addEventListener("change", () => settle(form));
    addEventListener("pageshow", () => settle(form));
    settle(form);
  }

  // ---- asking for people: seats that the game does not have are closed
  const seats = (form) => {
    const setups = (chosen(form, "rules")?.dataset.setups || "").split(" ");
    const select = form.elements.setup;
    for (const option of select.options) {
      option.disabled = option.value !== "" && !setups.includes(option.value);
    }
    if (select.selectedOptions[0]?.disabled) select.value = "";
    const pair = radios(form, "company").find((radio) => radio.value === "pair");
    if (!pair) return;
    const usual = { partners: "4-partners" }[chosen(form, "rules")?.value] || "";
    const partners = (select.value || usual) === "4-partners";
    choose(form, "company", (radio) => radio !== pair || partners);
  };
  for (const form of document.querySelectorAll("[data-seats-form]")) {
    form.addEventListener("change", () => seats(form));
    addEventListener("pageshow", () => seats(form));
    seats(form);
  }
})();
