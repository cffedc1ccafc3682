import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import {
  button,
  lackMatroska,
  play,
  plays,
  position,
  watchStreams,
} from "../../support/browser/film.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { eventually } from "../../support/browser/listing.ts";
import { share } from "../../support/browser/settings.ts";
import { fingers, smallTargets } from "../../support/browser/touch.ts";
import { shows } from "../../support/browser/viewer.ts";
import { makeFilms, makePlayed } from "../../support/data/films.ts";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";
import { descendantsNamed } from "../../support/probes/processes.ts";

await ensureMediaPrograms();
const films = { ...await makeFilms(), ...await makePlayed() };
const test = browserTests({ workerCounts: [1], flags: ["--disable-media-programs=false"] });

const seconds = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLVideoElement>(".film__video")?.currentTime ?? -1);

test("a film that the browser decodes plays as it is, by buttons and by keys", {
  tree: { "plain.mp4": films["plain.mp4"] },
}, async ({ page, address }) => {
  const asked = watchStreams(page);
  await page.goto(`${address}plain.mp4`);
  await page.getByText("0:00 / 0:12").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await play(page);
  await plays(page, 0.2);
  await page.keyboard.press("k");
  await page.waitForFunction(() =>
    document.querySelector<HTMLVideoElement>(".film__video")?.paused
  );
  await position(page).fill("6");
  await page.getByText("0:06 / 0:12").waitFor();
  // The last picture lies beside it.
  await page.locator(".film__peek-picture").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByText("0:11 / 0:12").waitFor();
  await page.getByRole("region", { name: "Preview of plain.mp4" }).focus();
  for (
    const [key, text] of [["ArrowLeft", "0:06"], ["l", "0:11"], ["j", "0:01"], ["Home", "0:00"]]
  ) {
    await page.keyboard.press(key ?? "");
    await page.getByText(`${text} / 0:12`).waitFor();
  }
  await page.keyboard.press("m");
  await button(page, "Mute").and(page.locator("[aria-pressed=true]")).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() =>
    document.querySelector<HTMLVideoElement>(".film__video")?.muted === false
  );
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() =>
    (document.querySelector<HTMLVideoElement>(".film__video")?.volume ?? 1) < 1
  );
  await page.keyboard.press(">");
  await page.waitForFunction(() =>
    document.querySelector<HTMLVideoElement>(".film__video")?.playbackRate === 1.25
  );
  await page.keyboard.press("<");
  await page.waitForFunction(() =>
    document.querySelector<HTMLVideoElement>(".film__video")?.playbackRate === 1
  );
  await page.keyboard.press("f");
  await button(page, "Exit full screen").waitFor();
  await page.keyboard.press("f");
  await button(page, "Full screen").waitFor();
  await page.keyboard.press("Space");
  await page.waitForFunction(() =>
    document.querySelector<HTMLVideoElement>(".film__video")?.paused === false
  );
  await page.locator(".film__video").click();
  await page.waitForFunction(() =>
    document.querySelector<HTMLVideoElement>(".film__video")?.paused
  );
  await shows(page, "plain.mp4");

  await button(page, "Playback settings").click();
  await page.getByRole("menuitemradio", { name: "1×", exact: true, checked: true }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("menuitemradio", { name: "2×", exact: true }).click();
  await page.waitForFunction(() =>
    document.querySelector<HTMLVideoElement>(".film__video")?.playbackRate === 2
  );
  assert.equal(asked.length, 0);
});

test("a film in a container that the browser lacks is repacked, with its pictures as they are", {
  tree: { "packed.mkv": films["packed.mkv"] },
}, async ({ page, address }) => {
  await lackMatroska(page);
  const asked = watchStreams(page);
  await page.goto(`${address}packed.mkv`);
  await page.getByText("Repacking: this browser can’t open Matroska files.").waitFor();
  assert.equal(asked.length, 0, "nothing is converted before it plays");
  await play(page);
  await plays(page, 0.2);
  assert.ok(asked.every((query) => query.get("video") === "copy"));
});

test("sound that the browser lacks is converted alone", {
  tree: { "copied.mkv": films["copied.mkv"] },
}, async ({ page, address }) => {
  const asked = watchStreams(page);
  await page.goto(`${address}copied.mkv`);
  await page.getByText("Converting the sound: AC-3 isn’t supported by this browser.").waitFor();
  await play(page);
  await plays(page, 0.2);
  assert.ok(asked.every((query) => query.get("video") === "copy"));
});

test("pictures that the browser lacks are converted, with tracks, subtitles and seeking", {
  tree: { "old.mkv": films["old.mkv"] },
}, async ({ page, address }) => {
  const asked = watchStreams(page);
  await page.goto(`${address}old.mkv`);
  await page.getByText("Converting: HEVC isn’t supported by this browser.").waitFor();
  const original = page.getByRole("link", { name: "Download the original" });
  assert.equal(
    await original.getAttribute("href"),
    `/api/raw${address.slice("/files".length)}old.mkv`,
  );
  assert.deepEqual(await findBarriers(page), []);
  await play(page);
  await plays(page, 0.2);
  assert.ok(asked.length > 0 && asked.every((query) => query.get("video") === "480"));
  await position(page).fill("7");
  await plays(page, 7);
  await button(page, "Playback settings").click();
  await page.getByRole("menuitemradio", { name: "English", checked: true }).waitFor();
  await page.getByRole("menuitemradio", { name: "French (Français)" }).click();
  await page.waitForFunction(() =>
    (document.querySelector<HTMLVideoElement>(".film__video")?.currentTime ?? 0) >= 6
  );
  await eventually(() => asked.some((query) => query.get("audio") === "1"));
  await button(page, "Subtitles: German").click();
  await page.waitForFunction(() => {
    const [track] = document.querySelector<HTMLVideoElement>(".film__video")?.textTracks ?? [];
    const [cue] = track?.cues ?? [];
    return track?.mode === "showing" && cue instanceof VTTCue && cue.text === "The sea!";
  });
});

test("a seek in a converted film goes to a keyframe before, and steps get further", {
  tree: { "long.mkv": films["long.mkv"] },
}, async ({ page, address }) => {
  const asked = watchStreams(page);
  const told = page.waitForResponse((answer) => answer.url().includes("starts=true"));
  await page.goto(`${address}long.mkv`);
  await play(page);
  await plays(page, 0.1);
  const starts: number[] = (await (await told).json()).quickStarts;
  await button(page, "Pause").click();
  for (const to of [62, 38]) {
    const before = asked.length;
    await position(page).fill(String(to));
    const start = starts.findLast((start) => start < to + 1.2) ?? assert.fail();
    await page.waitForFunction(
      ([from = 0, to = 0]) => {
        const video = document.querySelector<HTMLVideoElement>(".film__video");
        return video !== null && !video.seeking && video.readyState >= 2 &&
          video.currentTime >= from && video.currentTime < to;
      },
      [start, start + 1],
    );
    const near = asked.slice(before).map((query) => Number(query.get("segment") ?? NaN))
      .filter((segment) => Math.abs(segment - start) < 12);
    assert.equal(near[0], start, "the first segment that it asks for begins there");
    const shown = new RegExp(`^0*${Math.floor(start / 60)}:${`${start % 60}`.padStart(2, "0")} / `);
    await page.getByText(shown).waitFor();
  }
  await page.getByRole("region", { name: "Preview of long.mkv" }).focus();
  for (let step = 0; step < 4; step++) {
    const before = await seconds(page);
    await page.keyboard.press("l");
    await page.waitForFunction((from) => {
      const video = document.querySelector<HTMLVideoElement>(".film__video");
      return video !== null && !video.seeking && video.currentTime >= from;
    }, before + 5);
  }
});

test("a film goes on where one was, and from the beginning if wanted", {
  tree: { "plain.mp4": films["plain.mp4"], "old.mkv": films["old.mkv"] },
}, async ({ page, address }) => {
  // A converted one at the keyframe before.
  for (const [name, from] of [["plain.mp4", 5], ["old.mkv", 3]] as const) {
    await page.goto(`${address}${name}`);
    await play(page);
    await plays(page, 0.1);
    await position(page).fill("5");
    await plays(page, 5);
    await button(page, "Pause").click();
    await page.reload();
    await page.getByText(new RegExp(`^Resumed at 0:0[${from}-6]$`)).waitFor();
    await play(page);
    await plays(page, from);
    await button(page, "Start over").click();
    await page.waitForFunction(() =>
      (document.querySelector<HTMLVideoElement>(".film__video")?.currentTime ?? 9) < 3
    );
  }
});

test("a converted film goes on at the keyframe before the place, as a seek does", {
  tree: { "long.mkv": films["long.mkv"] },
}, async ({ page, address }) => {
  const told = page.waitForResponse((answer) => answer.url().includes("starts=true"));
  await page.goto(`${address}long.mkv`);
  await play(page);
  await plays(page, 0.1);
  const starts: number[] = (await (await told).json()).quickStarts;
  // A second after a start there are others: here it is left between two.
  const from = starts.find((start, at) => start > 20 && (starts[at + 1] ?? 0) - start > 1) ??
    assert.fail();
  await position(page).fill(`${from}`);
  await plays(page, from + 1.1);
  await button(page, "Pause").click();
  // It may have played on until then.
  const left = await page.evaluate(() => document.querySelector("video")?.currentTime ?? 0);
  const before = starts.findLast((start) => start <= left) ?? assert.fail();
  await page.reload();
  // From here on, as the page that was left may have looked ahead.
  const asked = watchStreams(page);
  const shown = `0:${`${before}`.padStart(2, "0")}`;
  await page.getByText(`Resumed at ${shown}`).waitFor();
  await play(page);
  await plays(page, before + 0.2);
  const [first] = asked.filter((query) => /^\d/.test(query.get("segment") ?? ""));
  assert.equal(first?.get("segment"), `${before}`);
});

test("the next film is offered at the end, and follows by itself if wanted", {
  tree: {
    "film 2.mp4": films["plain.mp4"],
    "film 10.mp4": films["plain.mp4"],
    "film 9.txt": "a text",
  },
}, async ({ page, address }) => {
  await page.goto(`${address}film%202.mp4`);
  await button(page, "Next video: film 10.mp4").waitFor();
  await play(page);
  await plays(page, 0.1);
  await page.keyboard.press("End");
  const card = page.getByRole("group", { name: "Next video" });
  await card.getByText("film 10.mp4").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  const goesOn = card.getByRole("checkbox", { name: "Play the next video automatically" });
  await goesOn.check();
  await card.getByText(/Next video in \d sec/).waitFor();
  await card.getByRole("button", { name: "Cancel" }).click();
  await card.getByText("Next video", { exact: true }).waitFor();
  await goesOn.uncheck();
  await goesOn.check();
  await shows(page, "film 10.mp4");
  await plays(page, 0.1);
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector<HTMLVideoElement>(".film__video")?.ended);
  assert.equal(await card.count(), 0);
});

test("the player says that it waits for a turn, and why a film can't be played", {
  expected: [503, 501],
  tree: { "old.mkv": films["old.mkv"], "lie.mkv": "no film at all" },
}, async ({ page, address }) => {
  await page.goto(`${address}old.mkv`);
  await page.getByText("Converting: HEVC isn’t supported by this browser.").waitFor();
  let refusals = 1;
  await intercept(page, /stream\/hls\/.*segment=0/, async (route) => {
    if (refusals-- <= 0) return await route.fallback();
    await route.fulfill({
      status: 503,
      headers: { "retry-after": "1" },
      json: { code: "busy", message: "Cannot convert the video" },
    });
  });
  await play(page);
  await page.getByText("Waiting for a turn (place 1): the server is converting other videos.")
    .waitFor();
  await plays(page, 0.1);
  await page.getByText("Converting: HEVC isn’t supported by this browser.").waitFor();
  await page.goto(`${address}lie.mkv`);
  await page.getByText("This browser can’t play this video, and the server can’t convert it.")
    .waitFor();
});

test("leaving a film ends its conversion", {
  tree: { "long.mkv": films["long.mkv"], "a.txt": "text" },
}, async ({ page, address, server }) => {
  await page.goto(`${address}long.mkv`);
  await play(page);
  await plays(page, 0.1);
  await button(page, "Pause").click();
  await eventually(() => descendantsNamed(server.pid, "ffmpeg").length > 0);
  await button(page, "Back to folder").click();
  await page.waitForURL(address);
  await eventually(() => descendantsNamed(server.pid, "ffmpeg").length === 0);
});

test("visitors of a share play its films", {
  tree: { films: { "old.mkv": films["old.mkv"], "plain.mp4": films["plain.mp4"] } },
}, async ({ page, folder, server }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "films"));
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  await page.goto(`/share/${hash}/old.mkv`);
  await page.getByText("Converting: HEVC isn’t supported by this browser.").waitFor();
  await play(page);
  await plays(page, 0.1);
  await position(page).fill("6");
  await plays(page, 6);
  await page.locator(".seek").hover();
  await page.locator(".film__peek-picture").waitFor();
  await button(page, "Next video: plain.mp4").click();
  await plays(page, 0.1);
  assert.ok(asked.some((path) => path.startsWith("/api/public/stream/hls/")));
  assert.deepEqual(asked.filter((path) => path.startsWith("/api/stream/")), []);
  await page.goto(`/share/${hash}/old.mkv`);
  await page.getByText(/^Resumed at 0:0\d$/).waitFor();
});

test("fingers skip by double taps, and find every control", {
  device: "phone",
  tree: { "old.mkv": films["old.mkv"], "plain.mp4": films["plain.mp4"] },
}, async ({ page, address }) => {
  await page.goto(`${address}plain.mp4`);
  await page.getByText("0:00 / 0:12").waitFor();
  assert.deepEqual(await smallTargets(page), []);
  assert.deepEqual(await findBarriers(page), []);
  const session = await page.context().newCDPSession(page);
  const doubleTap = async (x: number) => {
    for (const _ of [1, 2]) await fingers(session, [[{ x, y: 300 }]]);
  };
  await doubleTap(350);
  await page.getByText("0:10 / 0:12").waitFor();
  await doubleTap(40);
  await page.getByText("0:00 / 0:12").waitFor();
  await button(page, "Playback settings").click();
  await page.getByRole("menuitemradio", { name: "1×", exact: true, checked: true }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Escape");
  await page.goto(`${address}old.mkv`);
  await page.getByText("Converting: HEVC isn’t supported by this browser.").waitFor();
  await play(page);
  await plays(page, 0.1);
  assert.ok(await seconds(page) > 0);
});
