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

/**
 * Waits until one player has loaded what follows, while another one plays: from its beginning again
 * rather than to its end.
 */
export async function loadedAhead(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const players = Reflect.get(globalThis, "players") as HTMLAudioElement[];
    const playing = players.find(({ paused, ended }) => !paused && !ended);
    if (playing && playing.duration - playing.currentTime < 4) playing.currentTime = 0;
    return playing !== undefined &&
      players.some(({ paused, ended, currentTime, readyState }) =>
        paused && !ended && currentTime === 0 && readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
      );
  });
}

/** What these players have loaded so far, in order. */
export async function loadsOf(page: Page): Promise<Load[]> {
  return await page.evaluate(() => Reflect.get(globalThis, "loads") as Load[]);
}
