/*
 * What the page of a share does beyond its links and forms, which work without this: Esc ends a
 * selection, Shift ticks all from the last one ticked, and every visit begins with nothing ticked.
 */
const list = document.querySelector(".shared__list");
const ticks = [...document.querySelectorAll(".shared__item .tick")];
let last = -1;

list?.addEventListener("click", (event) => {
  const at = ticks.indexOf(event.target);
  if (at < 0) return;
  if (event.shiftKey && last >= 0) {
    const between = ticks.slice(Math.min(at, last), Math.max(at, last));
    for (const tick of between) tick.checked = ticks[at].checked;
  }
  last = at;
});

list?.addEventListener("reset", () => {
  // The bar goes, and must not take the focus along.
  if (document.activeElement?.closest(".shared__bar")) ticks[Math.max(last, 0)]?.focus();
  last = -1;
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape") list?.reset();
});
addEventListener("pageshow", () => list?.reset());
