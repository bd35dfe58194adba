/* Search by section: each heading and each name of the interfaces is a result of its own. */
"use strict";

(() => {
  const { words, alike: others, parts, titles, sections } = window.omnirollSections;
  const weights = { Start: 1.2, "How to": 1.5, Explanation: 1.1, Gallery: 0.8, Evidence: 0.8 };
  const split = text => text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) || [];
  /* 3: the word itself, 2: its singular or plural, 1: its beginning or the pages' word for it, 0: another. */
  const alike = (word, term) => word === term ? 3 : word === term + "s" || word + "s" === term ? 2 :
    word.startsWith(term) && term.length > 2 || word === others[term] ? 1 : 0;
  const best = (list, term) => Math.max(0, ...list.map(word => alike(word, term)));

  const score = (section, terms, scores) => {
    const [page, part, anchor, title, , wanted, counted] = section;
    const own = split(title), asked = split(wanted), above = split(titles[page]);
    let sum = 0;
    for (const [index, term] of terms.entries()) {
      let found = 0, size = 0;
      for (let i = 0; i < counted.length; i += 2) {
        size += counted[i + 1];
        if (scores[index][counted[i]]) found += counted[i + 1] * scores[index][counted[i]] / 3;
      }
      const of = 30 * best(asked, term) + 12 * best(own, term) / Math.sqrt(own.length || 1) + 4 * best(above, term) +
        10 * found / Math.sqrt(size + 30);
      if (of === 0) return 0;
      sum += of;
    }
    if (title.toLowerCase() === terms.join(" ")) sum += 40;
    return sum * (weights[parts[part]] || 1) * (anchor ? 1 : 1.2) * (/^api\/|\/appendix\/|^reference\/names/.test(page) ? 0.6 : 1);
  };

  const find = query => {
    const terms = split(query);
    if (!terms.length) return [];
    const scores = terms.map(term => words.map(word => alike(word, term)));
    return sections.map(section => [score(section, terms, scores), section]).filter(([value]) => value > 0)
      .sort((a, b) => b[0] - a[0] || (a[1][0] < b[1][0] ? -1 : 1)).slice(0, 60).map(([, section]) => section);
  };
  window.omnirollFind = find;

  const item = ([page, part, anchor, title, shown]) => {
    const line = document.createElement("li"), link = document.createElement("a"), where = document.createElement("span"), text = document.createElement("p");
    link.href = page + ".html" + (anchor ? "#" + anchor : "");
    link.textContent = title;
    where.className = "where";
    where.textContent = " " + parts[part] + (anchor ? " › " + titles[page] : "");
    text.className = "first-words";
    text.textContent = shown;
    line.append(link, where, text);
    return line;
  };
  window.addEventListener("DOMContentLoaded", () => {
    const query = new URLSearchParams(location.search).get("q") || "";
    const found = find(query), results = document.getElementById("search-results");
    const head = document.createElement("p"), list = document.createElement("ul");
    head.textContent = !query.trim() ? "Write a word into the field on the left." : found.length ? "" :
      "Nothing has all of these words. Try one of them, or the name of a parameter or an observable.";
    list.className = "search";
    list.append(...found.map(item));
    results.append(head, list);
    for (const field of document.querySelectorAll("input[name=q]")) field.value = query;
  });
})();
