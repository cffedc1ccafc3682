/*
 * What the offline page does: it looks whether the server answers again, sooner when the device gets
 * a connection, and then loads the page that was wanted.
 */
const script = document.currentScript.src;
const health = new URL("health", script);
const home = new URL("files/", script);
const own = new URL("offline", script);

/** The first and the longest pause between two looks, in milliseconds. */
const firstMs = 2_000;
const longestMs = 15_000;

let pauseMs = firstMs;
let timer;

async function look() {
  clearTimeout(timer);
  try {
    const answer = await fetch(health, { cache: "no-store" });
    if (answer.ok) return leave();
  } catch {
    // Not yet.
  }
  timer = setTimeout(look, pauseMs);
  pauseMs = Math.min(longestMs, pauseMs * 1.5);
}

function leave() {
  // It stands at the address of the wanted page, unless it was opened itself.
  if (location.pathname === own.pathname) location.replace(home);
  else location.reload();
}

addEventListener("online", () => {
  pauseMs = firstMs;
  void look();
});
document.querySelector("[data-again]")?.addEventListener("click", (event) => {
  event.preventDefault();
  pauseMs = firstMs;
  void look();
});
timer = setTimeout(look, firstMs);
