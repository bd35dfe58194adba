/* What scrolls within itself is reached by the keyboard; results of a search say how their pages begin. */
"use strict";

const reach = () => {
  for (const box of document.querySelectorAll(".table-wrapper, .highlight pre, .math.block")) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
window.addEventListener("load", reach);
window.addEventListener("resize", reach);

const tell = list => {
  const base = new URL(document.documentElement.dataset.content_root || ".", location.href);
  for (const link of list.querySelectorAll("ul.search > li:not([data-told]) > a")) {
    link.parentElement.dataset.told = "";
    const page = decodeURI(link.href.split("#")[0].slice(base.href.length)).replace(/\.html$/, "");
    const sentence = window.omnirollSentences[page];
    if (!sentence) continue;
    const words = document.createElement("p");
    words.className = "first-words";
    words.textContent = sentence;
    link.parentElement.append(words);
  }
};
window.addEventListener("DOMContentLoaded", () => {
  const list = document.getElementById("search-results");
  if (!list || !window.omnirollSentences) return;
  new MutationObserver(() => tell(list)).observe(list, { childList: true, subtree: true });
  tell(list);
});
