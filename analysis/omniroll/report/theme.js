// What can be opened is open on paper. The theme that was chosen holds for this page; otherwise that of the system.
(function () {
  var root = document.documentElement;
  function dark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (part) { part.open = true; });
  });
  document.addEventListener("DOMContentLoaded", function () {
    var button = document.getElementById("theme");
    function label() { button.textContent = dark() ? "Light" : "Dark"; }
    button.hidden = false;
    label();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    button.addEventListener("click", function () {
      root.dataset.theme = dark() ? "light" : "dark";
      label();
      document.dispatchEvent(new Event("themechange"));
    });
  });
})();
