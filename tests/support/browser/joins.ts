/** What a page sounds like where one track follows another. */
import type { Page } from "playwright-core";

/** The silence between two tracks, and the time in which both sound, in milliseconds. */
export interface Joins {
  gaps: number[];
  overlaps: number[];
}

/** Has the page tell of the players that it makes; call it before it is loaded. */
export async function watchPlayers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const players: HTMLAudioElement[] = [];
    Reflect.set(globalThis, "players", players);
    globalThis.Audio = new Proxy(Audio, {
      construct(element, args) {
        const player: HTMLAudioElement = Reflect.construct(element, args);
        players.push(player);
        return player;
      },
    });
  });
}

/**
 * Records what these players play.
 *
 * @returns ends it: measures where the sound begins after the first sample, by a tone of one volume
 */
export async function record(page: Page): Promise<() => Promise<Joins>> {
  await page.evaluate(async () => {
    const players = Reflect.get(globalThis, "players") as HTMLAudioElement[];
    const context = new AudioContext();
    const recorder = context.createScriptProcessor(1024, 1, 1);
    const parts: Float32Array[] = [];
    recorder.onaudioprocess = ({ inputBuffer }) =>
      void parts.push(inputBuffer.getChannelData(0).slice());
    for (const player of players) context.createMediaElementSource(player).connect(recorder);
    recorder.connect(context.destination);
    await context.resume();
    Reflect.set(globalThis, "recorded", { context, parts });
  });
  return () =>
    page.evaluate(async () => {
      const { context, parts } = Reflect.get(globalThis, "recorded") as {
        context: AudioContext;
        parts: Float32Array[];
      };
      const { sampleRate } = context;
      await context.close();
      const inMs = (samples: number) => samples / sampleRate * 1_000;
      const samples = parts.flatMap((part) => [...part]);
      // The loudest of each millisecond.
      const step = Math.round(sampleRate / 1_000);
      const peaks = Array.from(
        { length: Math.floor(samples.length / step) },
        (_, at) => Math.max(...samples.slice(at * step, at * step + step).map(Math.abs)),
      );
      const usual = peaks.filter((peak) => peak > 0.01).toSorted((a, b) => a - b);
      const tone = usual[Math.floor(usual.length / 2)] ?? 0;
      const runs = (holds: (peak: number) => boolean) => {
        const found: number[] = [];
        let from = -1;
        peaks.forEach((peak, at) => {
          if (holds(peak)) return void (from = from === -1 ? at : from);
          if (from > 0 && at - from >= 3) found.push(inMs((at - from) * step));
          from = -1;
        });
        return found;
      };
      const first = peaks.findIndex((peak) => peak > tone / 2);
      peaks.splice(0, first);
      return {
        gaps: runs((peak) => peak < tone / 8),
        overlaps: runs((peak) => peak > tone * 1.3),
      };
    });
}
