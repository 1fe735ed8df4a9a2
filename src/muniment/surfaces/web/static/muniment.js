// The drawer: what a citation rests on opens beside the page, takes the focus, and gives it back when it closes.
// Without this file every link leads to a page of its own.
(function () {
  "use strict";
  var opener = null;

  function drawer() {
    return document.getElementById("drawer");
  }

  function close() {
    drawer().replaceChildren();
    if (opener && opener.isConnected) {
      opener.focus();
    }
    opener = null;
  }

  document.addEventListener("htmx:beforeRequest", function (event) {
    if (!drawer().contains(event.detail.elt)) {
      opener = event.detail.elt;
    }
  });

  document.addEventListener("htmx:afterSwap", function (event) {
    if (event.detail.target === drawer()) {
      drawer().scrollTop = 0;
      drawer().focus();
    }
  });

  // Whatever is wrong, the link's own page says it better than a drawer that stays empty.
  document.addEventListener("htmx:responseError", function (event) {
    window.location.assign(event.detail.elt.getAttribute("href"));
  });

  document.addEventListener("click", function (event) {
    if (event.target.closest("[data-close]")) {
      close();
    }
  });

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && drawer() && drawer().firstElementChild) {
      close();
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form) {
      event.target.form.requestSubmit();
    }
  });

  document.addEventListener("submit", function (event) {
    event.target.setAttribute("aria-busy", "true");
  });
})();
