import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { loadedAhead, loadsOf, watchPlayers } from "../../support/browser/players.ts";
import { eventually } from "../../support/browser/listing.ts";
import { share } from "../../support/browser/settings.ts";
import { makeAlbum, makeMusic } from "../../support/data/music_formats.ts";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";

await ensureMediaPrograms();
/** The length of a track, in seconds: the next one is loaded at once, and has the time for it. */
const trackSeconds = 19;
const [music, wave, windows, apple, longer] = await Promise.all([
  makeMusic(),
  makeAlbum("flac", [], trackSeconds),
  makeAlbum("wma", [], trackSeconds),
  makeAlbum("m4a", ["-c:a", "alac"], trackSeconds),
  makeAlbum("m4a", ["-c:a", "alac"], 30),
]);
const test = browserTests({ workerCounts: [1], flags: ["--disable-media-programs=false"] });

const player = (page: Page) => page.getByRole("region", { name: "Music player" });
const play = (page: Page) => page.getByRole("button", { name: "Play", exact: true }).click();

/** Plays the sound that is open. */
async function start(page: Page): Promise<void> {
  await page.getByText("Converting: this format isn’t supported by this browser.").waitFor();
  await page.locator(".viewer__controls").getByRole("button", { name: "Play", exact: true })
    .click();
}

test("sounds that the browser lacks play as the server converts them, in shares, too", {
  expected: [501],
  tree: { sounds: music },
}, async ({ page, folder, address, server }) => {
  for (const name of Object.keys(music)) {
    await page.goto(`${address}sounds/${name}`);
    await start(page);
    await page.waitForFunction(() => (document.querySelector("audio")?.currentTime ?? 0) > 0.2);
  }
  assert.deepEqual(await findBarriers(page), []);
  const { hash } = await share(server, join(folder.slice(server.root.length), "sounds"));
  // Without its page, no sound is asked for any more.
  await page.goto(address);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto(`/share/${hash}/tone.wv`);
  await start(page);
  await page.getByText("0:01 / 0:01").waitFor();
});

test("a sound that is none says so, with a way to save it", {
  expected: [501],
  tree: { "lie.wma": "no sound at all" },
}, async ({ page, address }) => {
  await page.goto(`${address}lie.wma`);
  await page.getByText("The browser can’t read this file.").waitFor();
  await page.getByRole("link", { name: "Download" }).first().waitFor();
});

for (const [name, album] of Object.entries({ flac: wave, wma: windows, alac: apple })) {
  test(`each track is loaded while the one before it plays: ${name}`, {
    expected: [501],
    tree: album,
  }, async ({ page }) => {
    await watchPlayers(page);
    await page.reload();
    await play(page);
    const title = (title: string) =>
      player(page).getByRole("link", { name: title, exact: true }).waitFor();
    await title("Track 1");
    await player(page).getByText("Herons · At dawn").waitFor();
    for (const track of [2, 3, 4]) {
      await loadedAhead(page);
      await player(page).getByRole("slider", { name: "Position" }).fill(`${trackSeconds - 1}`);
      await title(`Track ${track}`);
    }
    const loads = await loadsOf(page);
    const ahead = loads.slice(loads.indexOf("ahead"));
    // What the browser cannot decode is loaded twice: as it is, and converted.
    assert.ok(ahead.length >= 3 && !ahead.includes("late"), loads.join());
  });
}

/** The player that sounds: where it is, and how loud that is, at most 1; null before any sounds. */
async function listen(page: Page): Promise<{ at: number; of: number; level: number } | null> {
  return await page.evaluate(async () => {
    const players = Reflect.get(globalThis, "players") as HTMLAudioElement[];
    const player = players.find(({ paused, readyState }) => !paused && readyState >= 3);
    if (!player) return null;
    const context = new AudioContext();
    const captured = (player as HTMLAudioElement & { captureStream(): MediaStream })
      .captureStream();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(captured).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let level = 0;
    for (let tries = 0; tries < 100 && level === 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      analyser.getFloatTimeDomainData(samples);
      level = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    }
    await context.close();
    return { at: player.currentTime, of: player.duration, level };
  });
}

test("lossless music of Apple sounds, is sought in, and is followed by the next track", {
  expected: [501],
  tree: longer,
}, async ({ page }) => {
  await watchPlayers(page);
  await page.reload();
  await play(page);
  const title = (title: string) =>
    player(page).getByRole("link", { name: title, exact: true }).waitFor();
  await title("Track 1");
  await player(page).getByText("0:00 / 0:30").waitFor();
  const hears = async (from: number) => {
    let heard: Awaited<ReturnType<typeof listen>> = null;
    await eventually(async () => {
      heard = await listen(page);
      return heard !== null && heard.level > 0.05 && heard.at > from;
    });
    return heard;
  };
  await hears(0.2);
  await player(page).getByRole("slider", { name: "Position" }).fill("26");
  await hears(26.2);
  await title("Track 2");
  await hears(0.1);
  const loads = await loadsOf(page);
  assert.ok(loads.includes("ahead"), "it was loaded before");
});

test("tags say how loud tracks are, alone or as an album", {
  expected: [501],
  tree: wave,
}, async ({ page }) => {
  await watchPlayers(page);
  await page.reload();
  await play(page);
  await player(page).getByRole("button", { name: "Queue" }).click();
  const volumeIs = (wanted: number) =>
    eventually(() =>
      page.evaluate((wanted) => {
        const players = Reflect.get(globalThis, "players") as HTMLAudioElement[];
        return players.some(({ paused, volume }) => !paused && Math.abs(volume - wanted) < 0.01);
      }, wanted)
    );
  await volumeIs(1);
  await page.getByRole("button", { name: "Loudness as recorded" }).click();
  await volumeIs(0.5);
  await page.getByRole("button", { name: "Even loudness of tracks" }).click();
  await volumeIs(0.25);
  await page.getByRole("button", { name: "Even loudness of albums" }).click();
  await volumeIs(1);
});
