/*
 * What the page of a share does beyond its links and forms, which work without this: Esc ends a
 * selection, Shift ticks all from the last one ticked, more entries come without another page, and
 * every visit begins with nothing ticked. The choice of the view is remembered. Arrow keys and swipes
 * lead from a file to its neighbours, Esc back to its folder, until a viewer takes over.
 */
const list = document.querySelector(".shared__list");
const rows = () => [...document.querySelectorAll(".shared__item")];
let last = -1;

list?.addEventListener("click", (event) => {
  if (event.target.matches(".tick")) tickUpTo(event.target, event.shiftKey);
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (event.target.matches(".shared__more") && isPlain) {
    event.preventDefault();
    void showMore(event.target);
  }
});

list?.addEventListener("reset", () => {
  // The bar goes, and must not take the focus along.
  if (document.activeElement?.closest(".shared__bar")) tickOf(rows()[Math.max(last, 0)]).focus();
  last = -1;
});

addEventListener("keydown", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!isPlain || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, audio, video")) return;
  const isMirrored = document.dir === "rtl";
  if (event.key === "ArrowLeft") goTo(isMirrored ? "next" : "prev");
  if (event.key === "ArrowRight") goTo(isMirrored ? "prev" : "next");
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const details = document.querySelector(".shared__details[open]");
  if (details) closeDetails(details);
  else if (list) list.reset();
  else goTo("up");
});
addEventListener("pageshow", () => list?.reset());

function tickOf(row) {
  return row.querySelector(".tick");
}

function tickUpTo(tick, isRange) {
  const at = rows().findIndex((row) => row.contains(tick));
  if (isRange && last >= 0) {
    const between = rows().slice(Math.min(at, last), Math.max(at, last));
    for (const row of between) tickOf(row).checked = tick.checked;
  }
  last = at;
  // The bar that comes with the first tick may lie over its row.
  tick.scrollIntoView({ block: "nearest" });
}

async function showMore(link) {
  const answer = await fetch(link.href).catch(() => null);
  if (!answer?.ok) return location.assign(link.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  // A page shows entries that are here already, too, or none of them.
  const known = new Set(rows().map((row) => tickOf(row).value));
  const [first, ...others] = [...page.querySelectorAll(".shared__item")]
    .filter((row) => !known.has(tickOf(row).value));
  if (!first) return location.assign(link.href);
  rows().at(-1).after(first, ...others);
  first.querySelector("a").focus();
  link.replaceWith(...page.querySelectorAll(".shared__more"));
}

function goTo(step) {
  if (document.querySelector(".viewer")) return;
  const { href } = document.querySelector(`[data-step="${step}"]`) ?? {};
  if (href) location.assign(href);
}

// The details close as a menu does.
addEventListener("pointerdown", ({ target }) => {
  const details = document.querySelector(".shared__details[open]");
  if (details && !details.contains(target)) details.open = false;
});

function closeDetails(details) {
  const hasFocus = details.contains(document.activeElement);
  details.open = false;
  if (hasFocus) details.querySelector("summary").focus();
}

/** The shortest way of a finger that counts as a swipe, in CSS pixels. */
const shortestSwipe = 60;
let touch = null;

addEventListener("touchstart", ({ target, touches }) => {
  touch = target.matches("img.shared__media") && touches.length === 1 ? touches[0] : null;
}, { passive: true });
addEventListener("touchend", ({ changedTouches: [end] }) => {
  if (!touch || (visualViewport?.scale ?? 1) > 1) return;
  const [across, down] = [end.clientX - touch.clientX, end.clientY - touch.clientY];
  if (Math.abs(across) < Math.max(shortestSwipe, 2 * Math.abs(down))) return;
  goTo((across < 0) === (document.dir !== "rtl") ? "next" : "prev");
});

// A picture that has no smaller one is shown as it is; a thumbnail gives way to the icon below it.
addEventListener("error", ({ target }) => mend(target), true);
for (const image of document.images) {
  if (image.complete && image.naturalWidth === 0 && image.loading !== "lazy") mend(image);
}

function mend(image) {
  if (!(image instanceof HTMLImageElement)) return;
  if (image.matches(".shared__thumb")) return image.remove();
  const { whole } = image.dataset;
  if (whole && image.getAttribute("src") !== whole) image.src = whole;
}

// Phones have no viewer for PDFs inside of pages: they would download the file unasked.
const paper = document.querySelector("[data-paper]");
if (paper && navigator.pdfViewerEnabled) {
  const { paper: src, title } = paper.dataset;
  paper.replaceChildren(Object.assign(document.createElement("iframe"), { src, title }));
}

/** Where the browser keeps the chosen view. */
const viewKey = "share-view";
const views = document.querySelector(".shared__views");
views?.addEventListener("change", ({ target }) => keepView(target.value));
for (const view of views?.querySelectorAll("input") ?? []) {
  if (view.value === keptView()) view.checked = true;
}

function keepView(view) {
  try {
    localStorage.setItem(viewKey, view);
  } catch {
    // The browser keeps nothing for this site: the choice holds for this page.
  }
}

function keptView() {
  try {
    return localStorage.getItem(viewKey);
  } catch {
    return null;
  }
}
