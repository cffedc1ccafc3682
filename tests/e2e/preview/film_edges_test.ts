/** Films that are odd in themselves: short, silent, upright, uneven, late, of many tracks. */
import assert from "node:assert/strict";
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
import { entry } from "../../support/browser/listing.ts";
import { shows } from "../../support/browser/viewer.ts";
import { makeFilms, makePlayed } from "../../support/data/films.ts";
import { makeOddFilms } from "../../support/data/odd_films.ts";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";

await ensureMediaPrograms();
const [films, played, odd] = await Promise.all([makeFilms(), makePlayed(), makeOddFilms()]);
const test = browserTests({ workerCounts: [1], flags: ["--disable-media-programs=false"] });

/** Waits until the film has come to its end. */
async function ends(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector<HTMLVideoElement>(".film__video")?.ended);
}

/** How large the pictures are that the browser shows. */
async function shape(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const video = document.querySelector<HTMLVideoElement>(".film__video");
    return `${video?.videoWidth}x${video?.videoHeight}`;
  });
}

test("a film of one picture, and one without sound, play to their ends", {
  tree: {
    "blink.mkv": odd["blink.mkv"],
    "blink.mp4": odd["blink.mp4"],
    "silent.mkv": odd["silent.mkv"],
  },
}, async ({ page, address }) => {
  for (const name of ["blink.mkv", "blink.mp4", "silent.mkv"]) {
    await page.goto(`${address}${name}`);
    await play(page);
    await page.waitForFunction(() =>
      document.querySelector<HTMLVideoElement>(".film__video")?.videoWidth === 320
    );
    await ends(page);
    await page.locator(".film__bar").getByRole("button", { name: "Play", exact: true }).waitFor();
  }
});

test("a film plays on where its sound ends, even if nothing tells where that is", {
  tree: { "hushed.avi": odd["hushed.avi"], "hushed.wmv": odd["hushed.wmv"] },
}, async ({ page, address }) => {
  for (const name of ["hushed.avi", "hushed.wmv"]) {
    await page.goto(`${address}${name}`);
    await play(page);
    await ends(page);
    // The card of the next film lies over the bar.
    await position(page).fill("5");
    await page.keyboard.press("k");
    await plays(page, 5.5);
    await ends(page);
  }
});

test("a film that does not tell its duration plays and is sought in, with its length", {
  tree: { "live.mkv": odd["live.mkv"], "bare.m2v": odd["bare.m2v"] },
}, async ({ page, address }) => {
  await lackMatroska(page);
  for (const name of ["bare.m2v", "live.mkv"]) {
    await page.goto(`${address}${name}`);
    await play(page);
    await plays(page, 0.5);
    await page.getByText("/ 0:10").waitFor();
    await position(page).fill("7");
    await plays(page, 7);
    await ends(page);
  }
});

test("sound with a cover in the container of a film plays", {
  // It has no picture for a poster.
  expected: [404, 501],
  tree: { "cover.mp4": odd["cover.mp4"], "cover.mkv": odd["cover.mkv"] },
}, async ({ page, address }) => {
  for (const name of ["cover.mp4", "cover.mkv"]) {
    await page.goto(`${address}${name}`);
    await page.getByText("0:00 / 0:04").waitFor();
    await play(page);
    await ends(page);
  }
});

test("a film that a phone has recorded upright stays upright, and as sharp as others", {
  tree: { "phone.mov": odd["phone.mov"] },
}, async ({ page, address }) => {
  await page.goto(`${address}phone.mov`);
  await play(page);
  await plays(page, 0.2);
  assert.equal(await shape(page), "480x852");
});

test("pictures of ten bits are shown", {
  tree: { "hdr.mkv": odd["hdr.mkv"], "ten.mp4": odd["ten.mp4"] },
}, async ({ page, address }) => {
  for (const name of ["hdr.mkv", "ten.mp4"]) {
    await page.goto(`${address}${name}`);
    await play(page);
    await plays(page, 0.2);
    assert.equal(await shape(page), "320x180");
  }
});

test("a film of uneven pace plays at its pace, and a seek goes into the slow part", {
  tree: { "uneven.mkv": odd["uneven.mkv"] },
}, async ({ page, address }) => {
  await page.goto(`${address}uneven.mkv`);
  await page.getByText("0:00 / 0:08").waitFor();
  await play(page);
  await plays(page, 0.2);
  await position(page).fill("5");
  // The film has one keyframe, at its beginning.
  await page.locator(".film__peek-picture").waitFor();
  await plays(page, 5.2);
  await ends(page);
});

test("the time of a recording begins at zero, whatever its own clock", {
  tree: { "late.ts": odd["late.ts"] },
}, async ({ page, address }) => {
  const asked = watchStreams(page);
  await page.goto(`${address}late.ts`);
  await page.getByText("0:00 / 0:06").waitFor();
  await play(page);
  await plays(page, 0.2);
  await position(page).fill("4");
  await plays(page, 4.1);
  await ends(page);
  assert.ok(asked.every((query) => query.get("video") === "480"));
});

test("sound of eight channels is heard, with the pictures as they are", {
  tree: { "around.mkv": odd["around.mkv"] },
}, async ({ page, address }) => {
  await lackMatroska(page);
  const asked = watchStreams(page);
  await page.goto(`${address}around.mkv`);
  await play(page);
  await plays(page, 0.5);
  assert.ok(asked.every((query) => query.get("video") === "copy"));
});

/** The texts of the subtitles that are shown, once there are some. */
async function shownWords(page: Page): Promise<string[]> {
  const words = await page.waitForFunction(() => {
    const tracks = [...document.querySelector<HTMLVideoElement>(".film__video")?.textTracks ?? []];
    const cues = tracks.find(({ mode }) => mode === "showing")?.cues;
    return cues && cues.length > 0 && [...cues].map((cue) => (cue as VTTCue).text);
  });
  return await words.jsonValue() as string[];
}

test("subtitles as a script are words without drawings and comments; pictures are named", {
  tree: { "words.mkv": odd["words.mkv"], "words.mp4": odd["words.mp4"] },
}, async ({ page, address }) => {
  for (const name of ["words.mkv", "words.mp4"]) {
    await page.goto(`${address}${name}`);
    const isScript = name === "words.mkv";
    if (isScript) {
      await button(page, "Subtitles").click();
      const pictures = "Picture-based subtitles can’t be shown: German, French";
      await page.getByRole("menuitem", { name: pictures, disabled: true }).waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await page.getByRole("menuitemradio", { name: "English" }).click();
    }
    const words = await shownWords(page);
    if (isScript) assert.deepEqual(words, ["<i>The sea!</i>"]);
    else assert.match(words.join(), /The sea!/);
  }
});

test("thirty audio tracks with odd languages are all offered, and play", {
  tree: { "tongues.mkv": odd["tongues.mkv"] },
}, async ({ page, address }) => {
  const asked = watchStreams(page);
  await page.goto(`${address}tongues.mkv`);
  await page.getByText("0:00 / 0:02").waitFor();
  await button(page, "Playback settings").click();
  const tracks = page.getByRole("group", { name: "Audio track" }).getByRole("menuitemradio");
  assert.equal(await tracks.count(), 30);
  for (const words of await tracks.allTextContents()) assert.notEqual(words.trim(), "");
  assert.deepEqual(await findBarriers(page), []);
  await tracks.nth(29).click();
  await play(page);
  await ends(page);
  assert.ok(asked.some((query) => query.get("audio") === "29"));
});

test("films whose names are hard to write in addresses play, also in a stream", {
  tree: {
    "#%?日本 `'\"&+;.mkv": films["old.mkv"],
    "100%20.mp4": played["plain.mp4"],
    "back\\slash.mkv": films["copied.mkv"],
  },
}, async ({ page, address }) => {
  for (const name of ["#%?日本 `'\"&+;.mkv", "100%20.mp4", "back\\slash.mkv"]) {
    await page.goto(address);
    await entry(page, name).dblclick();
    await shows(page, name);
    await play(page);
    await plays(page, 0.2);
    await position(page).fill("6");
    await plays(page, 6);
  }
});
