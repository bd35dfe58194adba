/* What scrolls within itself is reached by the keyboard; tables with meanings become cards on a phone. */
"use strict";

const reach = () => {
  for (const box of document.querySelectorAll(".table-wrapper, .highlight pre, .math.block")) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
window.addEventListener("load", reach);
window.addEventListener("resize", reach);

/* Each cell but the first and the meaning says which column it is of. A table of numbers stays a table. */
window.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("article table")) {
    const heads = [...table.querySelectorAll("thead th")].map(head => head.textContent.trim());
    const numbers = [...table.querySelectorAll("tbody td:last-child")].filter(cell => /^[\d.,+−-]/.test(cell.textContent.trim())).length;
    if (heads.length < 3 && !heads.includes("meaning") || numbers > table.querySelectorAll("tbody tr").length / 2) continue;
    table.classList.add("cards-of-rows", ...(heads.includes("meaning") ? [] : ["without-meaning"]));
    for (const row of table.querySelectorAll("tbody tr")) {
      [...row.cells].forEach((cell, i) => {
        if (!cell.textContent.trim()) cell.className = "none";
        else if (i > 0 && heads[i] && heads[i] !== "meaning") cell.dataset.label = heads[i];
      });
    }
  }
  reach();
});
