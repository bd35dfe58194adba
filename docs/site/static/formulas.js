/* Draws the formulas of a page by KaTeX, which lies beside it. */
for (const element of document.querySelectorAll(".math")) {
  katex.render(element.textContent, element, { displayMode: element.classList.contains("block"), throwOnError: true });
}
