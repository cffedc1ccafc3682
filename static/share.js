/*
 * What the page of a share does beyond its links and forms, which work without this: Esc ends a
 * selection, Shift ticks all from the last one ticked, more entries come without another page, and
 * every visit begins with nothing ticked. The choice between list and grid is remembered. Arrow
 * keys and swipes lead from a file to its neighbours, Esc back to its folder. Pictures, films and
 * sounds follow one another on one page, so that full screen and slideshow last.
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
  if (!isPlain || event.target.closest("input, select, textarea, audio, video")) return;
  const isMirrored = document.dir === "rtl";
  if (event.key === "ArrowLeft") goTo(isMirrored ? "next" : "prev");
  if (event.key === "ArrowRight") goTo(isMirrored ? "prev" : "next");
  if (event.key.toLowerCase() === "f") actions.full();
  if (event.key.toLowerCase() === "s") actions.slideshow();
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (list) list.reset();
  else if (slideshow) stopSlideshow();
  else if (!document.fullscreenElement) goTo("up");
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
  const { href } = document.querySelector(`[data-step="${step}"]`) ?? {};
  if (!href) return;
  if (step === "up") location.assign(href);
  else void open(href, step);
}

/** What is shown in place, one after the other. */
const medium = "img.shared__media, video.shared__media, .shared__audio";

/** Opens a file: in place if it is a medium, and if the page shows one. */
async function open(href, step = null) {
  const next = document.querySelector(medium) && await readPage(href);
  if (!next?.querySelector(medium)) return location.assign(href);
  history.pushState(null, "", href);
  put(next, step);
}

async function readPage(href) {
  const answer = await fetch(href).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

function put(page, step) {
  const held = document.activeElement?.dataset.step ?? step;
  document.title = page.title;
  document.querySelector(".shared__main").replaceWith(page.querySelector(".shared__main"));
  if (held) document.querySelector(`[data-step="${held}"]`)?.focus({ preventScroll: true });
  offerActions();
  awaitNext();
}

// Whatever the history leads to, it is another file.
addEventListener("popstate", () => location.reload());

addEventListener("click", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  const link = event.target.closest?.('[data-step="prev"], [data-step="next"]');
  if (link?.href && isPlain && document.querySelector(medium)) {
    event.preventDefault();
    void open(link.href, link.dataset.step);
  }
  const { act } = event.target.closest?.("[data-act]")?.dataset ?? {};
  if (act) actions[act]();
});

// A sound is followed by the next file if that is one, too.
addEventListener("ended", async ({ target }) => {
  if (slideshow) return void showNext();
  const { href } = document.querySelector('[data-step="next"]') ?? {};
  const next = target.matches(".shared__audio") && href ? await readPage(href) : null;
  if (!next?.querySelector(".shared__audio")) return;
  history.pushState(null, "", href);
  put(next);
  document.querySelector(".shared__audio").play().catch(() => {});
}, true);

/** How long a slideshow shows a picture, in milliseconds. */
const shownMs = 5000;

/** Files that a slideshow passes over at a time, in search of a picture or a film. */
const mostPassed = 100;

/** What a slideshow shows. */
const seen = "img.shared__media, video.shared__media";

/** The slideshow under way: its timer, and what keeps the screen on. */
let slideshow = null;

const actions = {
  full() {
    if (document.fullscreenElement) void document.exitFullscreen();
    else if (document.querySelector(seen)) enterFull();
  },
  slideshow() {
    if (slideshow) return stopSlideshow();
    if (!document.querySelector(seen)) return;
    slideshow = {};
    enterFull();
    navigator.wakeLock?.request("screen").then((lock) => {
      if (slideshow) slideshow.lock = lock;
      else void lock.release();
    }, () => {});
    offerActions();
    awaitNext();
  },
};

function enterFull() {
  document.documentElement.requestFullscreen?.().catch(() => {});
}

function stopSlideshow() {
  clearTimeout(slideshow.timer);
  void slideshow.lock?.release();
  slideshow = null;
  offerActions();
}

/** Shows the buttons that the browser has a use for, pressed as they are. */
function offerActions() {
  const isOffered = { full: document.fullscreenEnabled, slideshow: true };
  const isOn = { full: document.fullscreenElement !== null, slideshow: slideshow !== null };
  for (const button of document.querySelectorAll("[data-act]")) {
    const { act } = button.dataset;
    button.hidden = !isOffered[act];
    button.ariaPressed = isOn[act];
  }
}

/** The time of a picture begins when it is loaded; a film lasts until its end. */
async function awaitNext() {
  const show = slideshow;
  const shown = document.querySelector(seen);
  if (!show || !shown) return;
  clearTimeout(show.timer);
  if (shown.matches("video")) return shown.play().catch(() => {});
  await shown.decode().catch(() => {});
  if (show === slideshow) show.timer = setTimeout(showNext, shownMs);
}

async function showNext() {
  const show = slideshow;
  let { href } = document.querySelector('[data-step="next"]') ?? {};
  for (let passed = 0; href && passed < mostPassed; passed++) {
    const page = await readPage(href);
    if (!page || show !== slideshow) break;
    if (page.querySelector(seen)) {
      history.replaceState(null, "", href);
      return put(page);
    }
    const next = page.querySelector('[data-step="next"]')?.getAttribute("href");
    href = next && new URL(next, href).href;
  }
  if (show && show === slideshow) stopSlideshow();
}

addEventListener("fullscreenchange", () => {
  if (slideshow && !document.fullscreenElement) stopSlideshow();
  offerActions();
});
offerActions();

/** The time after which the line above a picture hides in full screen, in milliseconds. */
const idleMs = 2000;
let idle;
for (const sign of ["pointermove", "pointerdown", "keydown"]) {
  addEventListener(sign, () => {
    delete document.documentElement.dataset.idle;
    clearTimeout(idle);
    idle = setTimeout(() => document.documentElement.dataset.idle = "", idleMs);
  }, { passive: true });
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
