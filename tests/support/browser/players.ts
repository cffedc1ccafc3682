/** What the players of a page load, and when. */
import type { Page } from "playwright-core";

/** When a track is loaded: while another one plays, or while none does. */
export type Load = "ahead" | "late";

/** Has the page tell of the players that it makes; call it before it is loaded. */
export async function watchPlayers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const players: HTMLAudioElement[] = [];
    const loads: Load[] = [];
    Reflect.set(globalThis, "players", players);
    Reflect.set(globalThis, "loads", loads);
    globalThis.Audio = new Proxy(Audio, {
      construct(element, args) {
        const player: HTMLAudioElement = Reflect.construct(element, args);
        const isAhead = () =>
          players.some((other) => other !== player && !other.paused && !other.ended);
        player.addEventListener("loadstart", () => loads.push(isAhead() ? "ahead" : "late"));
        players.push(player);
        return player;
      },
    });
  });
}

/** What these players have loaded so far, in order. */
export async function loadsOf(page: Page): Promise<Load[]> {
  return await page.evaluate(() => Reflect.get(globalThis, "loads") as Load[]);
}
