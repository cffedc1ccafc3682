/*
 * What the page of a share does beyond its links and forms, which work without this: Esc ends a
 * selection, Shift ticks all from the last one ticked, more entries come without another page, and
 * every visit begins with nothing ticked.
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
  if (event.key === "Escape") list?.reset();
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
