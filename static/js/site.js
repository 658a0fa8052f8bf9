// What every page can do with a script: day or night, copying a link, asking before something grave.
// Nothing here is needed: without it the device's own light is used and links are copied by hand.
(() => {
  "use strict";
  const root = document.documentElement;

  // ---- day or night: a cookie, so that the server sends the page in the right light at once
  const themeNow = () => root.dataset.theme || "auto";
  const showTheme = () => {
    for (const button of document.querySelectorAll("[data-theme-value]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeValue === themeNow()));
    }
  };
  for (const box of document.querySelectorAll("[data-theme-choice]")) {
    box.hidden = false;
    box.addEventListener("click", (event) => {
      const value = event.target.closest("[data-theme-value]")?.dataset.themeValue;
      if (!value) return;
      if (value === "auto") delete root.dataset.theme;
      else root.dataset.theme = value;
      const age = value === "auto" ? 0 : 31536000;
      const secure = location.protocol === "https:" ? "; secure" : "";
      document.cookie = `theme=${value}; path=/; max-age=${age}; samesite=lax${secure}`;
      showTheme();
    });
  }
  showTheme();

  // ---- what needs a script, or a device that can share, is shown by these classes (site.css):
  // they outlast whatever part of the page is brought anew.
  root.classList.add("can-copy");
  if (navigator.share) root.classList.add("can-share");

  // ---- <button data-copy="#place"> copies what a field or an element holds. A page over plain HTTP
  // has no clipboard: there it is selected and the browser asked; if it won't, the person has to.
  const select = (place) => {
    if (place.select) {
      place.focus();
      place.select();
    } else getSelection().selectAllChildren(place);
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return document.execCommand("copy");
    }
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    const place = button && document.querySelector(button.dataset.copy);
    if (!place) return;
    select(place);
    const copied = await copy(place.value ?? place.textContent);
    button.textContent = copied ? button.dataset.copied : button.dataset.byHand;
  });

  // ---- <button data-share="address" data-title="…">
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-share]");
    if (!button) return;
    navigator.share({ title: button.dataset.title || document.title, url: button.dataset.share })
      .catch(() => {});
  });

  // ---- an open menu closes when one goes on elsewhere
  const menu = document.querySelector("details.bar__me");
  if (menu) {
    const close = (event) => !menu.contains(event.target) && (menu.open = false);
    document.addEventListener("click", close);
    document.addEventListener("focusin", close);
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }

  // ---- <form data-once>: a second press of the same button sends nothing
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-once]")) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
  });
})();
