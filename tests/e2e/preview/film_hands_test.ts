import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { entry } from "../../support/browser/listing.ts";
import { fingers, smallTargets } from "../../support/browser/touch.ts";
import { shows } from "../../support/browser/viewer.ts";
import { makeFilms, makePlayed } from "../../support/data/films.ts";
import { silence } from "../../support/data/media.ts";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";

await ensureMediaPrograms();
const films = { ...await makeFilms(), ...await makePlayed() };
const test = browserTests({ workerCounts: [1], flags: ["--disable-media-programs=false"] });

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const position = (page: Page) => page.getByRole("slider", { name: "Position" });

/** Waits until the film in the page is as wanted. */
async function film(
  page: Page,
  wanted: { paused?: boolean; ended?: boolean; playbackRate?: number },
): Promise<void> {
  await page.waitForFunction((wanted) => {
    const video = document.querySelector<HTMLVideoElement>(".film__video");
    return video &&
      Object.entries(wanted).every(([name, value]) => Reflect.get(video, name) === value);
  }, wanted);
}

/** Plays the film, and waits for its pictures. */
async function play(page: Page): Promise<void> {
  await button(page, "Play").click();
  await page.waitForFunction(() => {
    const video = document.querySelector<HTMLVideoElement>(".film__video");
    return video && !video.paused && video.videoWidth > 0 && video.currentTime > 0.1;
  });
}

/** The width of the picture that stands for the film before it plays, by its height. */
function posterRatio(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const picture = new Image();
    picture.src = document.querySelector<HTMLVideoElement>(".film__video")?.poster ?? "";
    await picture.decode();
    return picture.naturalWidth / picture.naturalHeight;
  });
}

test("keys go to tenths of a film, and say what they change", {
  tree: { "plain.mp4": films["plain.mp4"] },
}, async ({ page, address }) => {
  await page.goto(`${address}plain.mp4`);
  await page.getByText("0:00 / 0:12").waitFor();
  assert.equal(await posterRatio(page), 16 / 9);
  await play(page);
  await page.keyboard.press("k");
  await film(page, { paused: true });
  for (const [key, time] of [["5", "0:06"], ["9", "0:10"], ["0", "0:00"]] as const) {
    await page.keyboard.press(key);
    await page.getByText(`${time} / 0:12`).waitFor();
  }
  await position(page).press("ArrowRight");
  await page.getByText("0:05 / 0:12").waitFor();
  assert.equal(await position(page).getAttribute("aria-valuetext"), "5 seconds of 12 seconds");
  await position(page).press("End");
  await page.getByText("0:11 / 0:12").waitFor();
  await position(page).press(">");
  await page.getByRole("status").getByText("1.25×").waitFor();
  await page.getByRole("region", { name: "Preview of plain.mp4" }).press("ArrowDown");
  await page.getByRole("status").getByText("95%").waitFor();
  assert.deepEqual(await findBarriers(page), []);
});

/** Lets the test press the keys of headsets and lock screens. */
async function takeSystemKeys(page: Page) {
  await page.addInitScript(() => {
    const keys = new Map<string, MediaSessionActionHandler | null>();
    const { setActionHandler } = MediaSession.prototype;
    MediaSession.prototype.setActionHandler = function (action, handler) {
      keys.set(action, handler);
      setActionHandler.call(this, action, handler);
    };
    Reflect.set(globalThis, "systemKeys", keys);
  });
  await page.reload();
  return {
    press: (action: MediaSessionAction, seekTime?: number) =>
      page.evaluate(({ action, seekTime }) => {
        const keys = Reflect.get(globalThis, "systemKeys") as Map<
          string,
          MediaSessionActionHandler
        >;
        keys.get(action)?.({ action, seekTime });
      }, { action, seekTime }),
    shows: (title: string) =>
      page.waitForFunction(
        (title) => navigator.mediaSession.metadata?.title === title,
        title,
      ),
  };
}

test("the system shows the film while it plays, and the music before and after it", {
  // A sound without a cover.
  expected: [501],
  tree: {
    "film 1.mp4": films["plain.mp4"],
    "film 2.mp4": films["plain.mp4"],
    "song.wav": silence(60),
  },
}, async ({ page, address }) => {
  const system = await takeSystemKeys(page);
  await entry(page, "song.wav").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Play", exact: true }).click();
  await system.shows("song");
  await entry(page, "film 1.mp4").dblclick();
  await shows(page, "film 1.mp4");
  await system.shows("song");
  await page.locator(".film").getByRole("button", { name: "Play", exact: true }).click();
  await system.shows("film 1.mp4");
  await system.press("pause");
  await film(page, { paused: true });
  await system.press("seekto", 6);
  await page.getByText("0:06 / 0:12").waitFor();
  await system.press("seekforward");
  await page.getByText("0:11 / 0:12").waitFor();
  await system.press("play");
  await film(page, { paused: false });
  await system.press("nexttrack");
  await shows(page, "film 2.mp4");
  await system.shows("film 2.mp4");
  await button(page, "Back to folder").click();
  await page.waitForURL(address);
  await system.shows("song");
});

test("a film goes over other windows and back, out of full screen, and ends with its page", {
  tree: { "plain.mp4": films["plain.mp4"], "a.txt": "a text" },
}, async ({ page, address }) => {
  await page.goto(`${address}plain.mp4`);
  await page.getByText("0:00 / 0:12").waitFor();
  await play(page);
  await button(page, "Full screen").click();
  await button(page, "Exit full screen").waitFor();
  const above = button(page, "Picture in picture");
  await above.click();
  await above.and(page.locator("[aria-pressed=true]")).waitFor();
  await button(page, "Full screen").waitFor();
  await button(page, "Full screen").click();
  await above.and(page.locator("[aria-pressed=false]")).waitFor();
  await button(page, "Exit full screen").waitFor();
  await above.click();
  await above.and(page.locator("[aria-pressed=true]")).waitFor();
  await button(page, "Back to folder").click();
  await page.waitForURL(address);
  await page.waitForFunction(() => document.pictureInPictureElement === null);
});

/** Whether the controls are seen, once that is so. */
async function controlsAre(page: Page, opacity: "0" | "1"): Promise<void> {
  await page.waitForFunction((opacity) => {
    const bar = document.querySelector(".film__bar");
    return bar && getComputedStyle(bar).opacity === opacity;
  }, opacity);
}

test("a tap shows and hides the controls, with play and pause in the middle", {
  device: "phone",
  tree: { "film 1.mp4": films["plain.mp4"], "film 2.mp4": films["plain.mp4"] },
}, async ({ page, address }) => {
  await page.goto(`${address}film%201.mp4`);
  await page.getByText("0:00 / 0:12").waitFor();
  await button(page, "Next video: film 2.mp4").waitFor();
  assert.equal(await button(page, "Mute").isVisible(), false);
  await page.locator(".film__start").tap();
  await film(page, { paused: false });
  await controlsAre(page, "0");
  const session = await page.context().newCDPSession(page);
  const tap = () => fingers(session, [[{ x: 195, y: 250 }]]);
  await tap();
  await controlsAre(page, "1");
  await film(page, { paused: false });
  await tap();
  await controlsAre(page, "0");
  await film(page, { paused: false });
  await tap();
  await controlsAre(page, "1");
  await page.locator(".film__start").tap();
  await film(page, { paused: true });
  assert.deepEqual(await smallTargets(page), []);
  assert.deepEqual(await findBarriers(page), []);
  await button(page, "Playback settings").tap();
  await page.getByRole("menuitemcheckbox", { name: "Picture in picture" }).waitFor();
});

test(
  "a film that was renamed goes on where one was, in the language and at the speed of the last",
  {
    tree: { "old.mkv": films["old.mkv"], "packed.mkv": films["packed.mkv"] },
  },
  async ({ page, folder, address }) => {
    await page.goto(`${address}old.mkv`);
    await play(page);
    await position(page).fill("5");
    await page.waitForFunction(() =>
      (document.querySelector<HTMLVideoElement>(".film__video")?.currentTime ?? 0) > 5
    );
    await button(page, "Playback settings").click();
    await page.getByRole("menuitemradio", { name: "French (Français)" }).click();
    await page.keyboard.press("<");
    await film(page, { playbackRate: 0.75 });
    await button(page, "Next video: packed.mkv").click();
    await shows(page, "packed.mkv");
    await film(page, { playbackRate: 0.75 });
    await button(page, "Playback settings").click();
    await page.getByRole("menuitemradio", { name: "French", exact: true, checked: true }).waitFor();
    await Deno.rename(join(folder, "old.mkv"), join(folder, "new name.mkv"));
    await page.goto(`${address}new%20name.mkv`);
    await page.getByText(/^Resumed at 0:0[3-7]$/).waitFor();
  },
);

test("a film that was cut off ends where it does, and one that fails can be downloaded", {
  expected: [404, 500],
  tree: {
    "cut.mkv": films["long.mkv"].slice(0, films["long.mkv"].length / 20),
    "old.mkv": films["old.mkv"],
  },
}, async ({ page, address }) => {
  await page.goto(`${address}cut.mkv`);
  await play(page);
  await page.keyboard.press("2");
  await film(page, { ended: true });
  await intercept(
    page,
    /stream\/hls\/.*segment=/,
    (route) =>
      route.fulfill({ status: 500, json: { code: "internal", message: "Cannot convert" } }),
  );
  await page.goto(`${address}old.mkv`);
  await button(page, "Play").click();
  await button(page, "Try again").waitFor();
  await page.locator(".viewer__stage").getByRole("link", { name: "Download" }).waitFor();
});

test("time runs from left to right where the rest is mirrored", {
  language: "ar",
  tree: { "plain.mp4": films["plain.mp4"] },
}, async ({ page, address }) => {
  await page.goto(`${address}plain.mp4`);
  await page.getByText("0:00 / 0:12").waitFor();
  const bar = await page.locator(".seek").boundingBox();
  const toggle = await page.locator(".film__acts > .button").first().boundingBox();
  assert.ok(bar && toggle && toggle.x > bar.x + bar.width / 2, "the first button is on the right");
  await page.mouse.click(bar.x + bar.width / 4, bar.y + bar.height / 2);
  await page.getByText("0:03 / 0:12").waitFor();
  const done = await page.locator(".seek__done").boundingBox();
  assert.ok(done && Math.abs(done.x - bar.x) < 2);
});
