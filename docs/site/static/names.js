/* The table of names: rows whose text has all words of the filter. */
"use strict";

window.addEventListener("DOMContentLoaded", () => {
  const box = document.getElementById("names-filter");
  if (!box) return;
  const rows = [...document.querySelectorAll("#names tbody tr")];
  const texts = rows.map(row => row.textContent.toLowerCase().replaceAll("_", " "));
  const show = () => {
    const words = box.value.toLowerCase().replaceAll("_", " ").split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every(word => texts[at].includes(word));
      shown += !row.hidden;
    });
    document.getElementById("names-count").textContent = `${shown} of ${rows.length}`;
  };
  box.value = new URLSearchParams(location.search).get("q") || "";
  box.addEventListener("input", show);
  show();
});
