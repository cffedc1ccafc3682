import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, listingAwake, rowOf } from "../../support/browser/listing.ts";
import { film, silence } from "../../support/data/media.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { shows, viewer } from "../../support/browser/viewer.ts";

const test = browserTests({ workerCounts: [1] });

test(
  "music plays on while one browses, track after track, and is there again after a reload",
  {
    // A sound without a cover.
    expected: [501],
    tree: {
      songs: { "a.wav": silence(30), "b.wav": silence(60), "c.txt": "text" },
      texts: { "d.txt": "text" },
      "film.txt": "text",
    },
  },
  async ({ page, address }) => {
    const item = page.getByRole("menuitem", { name: "Play", exact: true });
    const asked = page.waitForResponse((answer) => /texts.*groupBy=kind/.test(answer.url()));
    await entry(page, "texts").click({ button: "right" });
    await asked;
    assert.equal(await item.count(), 0);
    await page.keyboard.press("Escape");
    await entry(page, "songs").click({ button: "right" });
    await item.waitFor();
    await page.keyboard.press("Escape");
    await item.waitFor({ state: "detached" });
    await entry(page, "songs").dblclick();
    await entry(page, "a.wav").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Play", exact: true }).click();
    const player = page.getByRole("region", { name: "Music player" });
    await player.getByRole("link", { name: "a", exact: true }).waitFor();
    await page.goBack();
    await page.waitForURL(address);
    // Its end is brought nearer as soon as it is known what follows.
    await eventually(() => player.getByRole("button", { name: "Next track" }).isEnabled());
    const position = player.getByRole("slider", { name: "Position" });
    await position.and(page.locator('[max="30"]')).fill("29");
    await player.getByRole("link", { name: "b", exact: true }).waitFor();
    const isUnderWay = player.getByText(/^0:(?!00)\d\d \/ /);
    await isUnderWay.waitFor();
    await player.getByRole("button", { name: "Queue" }).click();
    const queue = page.getByRole("dialog", { name: "Queue" });
    await queue.getByRole("button", { name: "a", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await queue.waitFor({ state: "detached" });
    await player.getByRole("button", { name: "Queue" }).and(page.locator(":focus")).waitFor();
    await player.getByRole("button", { name: "Pause" }).click();

    const row = await rowOf(page, "film.txt").boundingBox();
    const bar = await player.boundingBox();
    const list = await page.locator(".listing").boundingBox();
    assert.ok(row && bar && list && row.y + row.height <= bar.y);
    assert.ok(list.y + list.height <= bar.y, "the list lies below the player");
    await page.reload();
    await isUnderWay.waitFor();
    await player.getByRole("button", { name: "Play", exact: true }).waitFor();
    await player.getByRole("link", { name: "b", exact: true }).click();
    await shows(page, "b.wav");
    await viewer(page).and(page.locator(":focus")).waitFor();
    await player.getByRole("button", { name: "Queue" }).click();
    await queue.getByRole("button", { name: "a", exact: true }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await queue.waitFor({ state: "detached" });
    await shows(page, "b.wav");
    await player.getByRole("button", { name: "Close player" }).press("Enter");
    await player.waitFor({ state: "detached" });
    await viewer(page).and(page.locator(":focus")).waitFor();
  },
);

test("the details of an open file leave the whole player in sight", {
  // A sound without a cover.
  expected: [501],
  tree: { "a.wav": silence(30), "b.wav": silence(30) },
}, async ({ page }) => {
  await listingAwake(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const player = page.getByRole("region", { name: "Music player" });
  await player.getByRole("button", { name: "Pause" }).click();
  await entry(page, "b.wav").dblclick();
  await shows(page, "b.wav");
  await viewer(page).getByRole("button", { name: "Details", exact: true }).click();
  await page.getByRole("complementary", { name: "Details" }).waitFor();
  // A click waits until nothing covers the button.
  await player.getByRole("button", { name: "Close player" }).click();
  await player.waitFor({ state: "detached" });
});

test(
  "a film plays with subtitles from where one wants, and a sound sounds",
  { expected: [501], tree: { "wave.wav": silence(60) } },
  async ({ page, folder, address }) => {
    await Deno.writeFile(join(folder, "film.webm"), await film(page));
    const cue = "1\n00:00:00,000 --> 00:01:00,000\nThe sea!\n";
    await Deno.writeTextFile(join(folder, "film.en.srt"), cue);
    await Deno.writeTextFile(join(folder, "film.de.srt"), cue.replace("The sea!", "Das Meer!"));
    await page.goto(`${address}film.webm`);
    await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 1);
    await page.getByRole("button", { name: "Subtitles" }).click();
    await page.getByRole("menuitemradio", { name: "German" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await page.waitForFunction(() => {
      const tracks = [...document.querySelector("video")?.textTracks ?? []];
      const shown = tracks.find(({ mode }) => mode === "showing");
      const [first] = shown?.cues ?? [];
      return tracks.length === 2 && first instanceof VTTCue && first.text === "The sea!";
    });
    await page.evaluate(async () => {
      const video = document.querySelector("video");
      if (!video) throw new Error("no film");
      const seeked = new Promise((resolve) => video.onseeked = resolve);
      video.currentTime = 0.5;
      await seeked;
    });
    assert.deepEqual(await findBarriers(page), []);

    await page.locator("video").focus();
    await page.keyboard.press("ArrowRight");
    await shows(page, "film.webm");
    await page.getByRole("button", { name: "Next" }).click();
    await shows(page, "wave.wav");
    await page.waitForFunction(() => document.querySelector("audio")?.duration === 60);
    await page.getByRole("region", { name: "Preview of wave.wav" }).focus();
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector("audio")?.paused === false);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector("audio")?.paused === true);
    const position = page.getByRole("slider", { name: "Position" });
    await position.fill("30");
    await page.getByText("0:30 / 1:00").waitFor();
    await position.press("ArrowRight");
    await page.getByText("0:35 / 1:00").waitFor();
    await shows(page, "wave.wav");
    await page.getByRole("button", { name: "Mute" }).click();
    await page.waitForFunction(() => document.querySelector("audio")?.muted);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => document.querySelector("audio")?.paused === false);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.waitForFunction(() => document.querySelector("audio")?.paused === true);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Keep playing while browsing" }).click();
    const below = page.getByRole("region", { name: "Music player" });
    await below.getByRole("slider", { name: "Position" }).waitFor();
    await viewer(page).getByRole("slider", { name: "Position" }).waitFor({ state: "detached" });
    assert.deepEqual(await findBarriers(page), []);
    await below.getByRole("button", { name: "Close player" }).click();
    await viewer(page).getByRole("slider", { name: "Position" }).waitFor();
  },
);

test(
  "subtitles called like the film are shown once they are wanted, and then in every film",
  {},
  async ({ page, folder, address }) => {
    await Deno.writeFile(join(folder, "film.webm"), await film(page));
    const cue = "1\n00:00:00,000 --> 00:01:00,000\nThe sea!\n";
    await Deno.writeTextFile(join(folder, "film.srt"), cue);
    await page.goto(address);
    await entry(page, "film.webm").dblclick();
    const button = page.getByRole("button", { name: "Subtitles", pressed: false });
    await button.waitFor();
    assert.equal(
      await page.evaluate(() => document.querySelector("video")?.textTracks[0]?.mode),
      "disabled",
    );
    await button.click();
    const isShown = () =>
      page.waitForFunction(() => {
        const [track] = document.querySelector("video")?.textTracks ?? [];
        return track?.mode === "showing" && track.label === "Subtitles" && track.cues?.length === 1;
      });
    await isShown();
    await page.reload();
    await isShown();
  },
);

test(
  "a film that the browser lacks says in a line that the server can't convert it",
  { tree: { "film.mkv": "no film at all" } },
  async ({ page, address }) => {
    await page.goto(`${address}film.mkv`);
    await page.getByText(
      "This browser can’t play this video, and FFmpeg isn’t installed on the server to convert it.",
    ).waitFor();
    await page.getByRole("link", { name: "Download" }).first().waitFor();
  },
);

test(
  "a sound is followed by the next one, and the last by nothing",
  { expected: [501], tree: { "a.wav": silence(), "b.wav": silence(), "c.txt": "" } },
  async ({ page }) => {
    await entry(page, "a.wav").dblclick();
    await page.waitForFunction(() => document.querySelector("audio")?.duration === 1);
    // It is over in a second: what follows has to be known by then.
    await page.getByRole("button", { name: "Next" }).waitFor();
    await page.getByRole("region", { name: "Preview of a.wav" }).focus();
    await page.keyboard.press("Space");
    await shows(page, "b.wav");
    await page.waitForFunction(() => (document.querySelector("audio")?.currentTime ?? 0) > 0);
    await page.waitForFunction(() => document.querySelector("audio")?.ended === true);
    await shows(page, "b.wav");
  },
);
