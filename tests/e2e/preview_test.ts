import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { findBarriers } from "../support/browser/axe.ts";
import { entry, eventually, rowOf } from "../support/browser/listing.ts";
import { film, silence } from "../support/data/media.ts";
import { quarters } from "../support/data/pictures.ts";
import { setStage } from "../support/browser/stage.ts";
import { fingers, smallTargets } from "../support/browser/touch.ts";

const play = setStage({ workerCounts: [1] });

const small = await quarters(400, 300).png().toBuffer();
/** A photograph too large to be shown as it is. */
const large = await sharp({
  create: {
    width: 1600,
    height: 1200,
    channels: 3,
    background: "#888",
    noise: { type: "gaussian", mean: 128, sigma: 50 },
  },
}).jpeg().toBuffer();

const viewer = (page: Page) => page.getByRole("region", { name: /^Preview of/ });
const picture = (page: Page) => page.locator(".viewer__picture:not([data-loading])");
const percent = (page: Page, text: string) =>
  page.getByRole("button", { name: `${text}: zoom to fit` }).waitFor();

/** The picture on screen, once it is there: its box and where it comes from. */
async function look(page: Page) {
  await picture(page).waitFor();
  const box = await picture(page).boundingBox();
  assert.ok(box);
  const source = await picture(page).evaluate((image: HTMLImageElement) => image.currentSrc);
  return { ...box, source };
}

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function shows(page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.waitForFunction((title) => document.title === title, `${name} - Files`);
}

play(
  "a picture fits the window, and comes closer by double click, wheel, drag, keys and buttons",
  { tree: { "sea.jpg": new Uint8Array(large) } },
  async ({ page }) => {
    await entry(page, "sea.jpg").dblclick();
    await shows(page, "sea.jpg");
    const whole = await look(page);
    assert.match(whole.source, /\/api\/preview\/big\//);
    assert.ok(whole.height > 600 && whole.y + whole.height <= 801, JSON.stringify(whole));

    const { x, y } = await middleOf(picture(page));
    await page.mouse.dblclick(x, y);
    await percent(page, "200%");
    await page.waitForFunction(() =>
      document.querySelector<HTMLImageElement>(".viewer__picture")?.currentSrc.includes("/api/raw/")
    );
    const twice = await look(page);
    assert.ok(Math.abs(twice.width - whole.width * 2) < 2, `${twice.width}`);

    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20, { steps: 3 });
    await page.mouse.move(x + 4000, y, { steps: 3 });
    await page.mouse.up();
    const stage = await page.locator(".viewer__stage").boundingBox();
    const moved = await look(page);
    assert.ok(Math.abs(moved.x - (stage?.x ?? NaN)) < 1.5, "an edge came off the frame");

    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -120);
    await percent(page, "225%");
    await page.mouse.wheel(0, 120);
    await percent(page, "200%");
    await page.keyboard.press("0");
    await percent(page, "100%");
    await page.keyboard.press("+");
    await percent(page, "125%");
    await page.getByRole("button", { name: "Zoom out" }).click();
    await page.getByRole("button", { name: "Zoom out" }).click();
    await percent(page, "75%");
    assert.deepEqual(await findBarriers(page), []);
  },
);

play(
  "one goes from medium to medium without a trail, and returns to the one seen last",
  {
    tree: {
      "a.png": new Uint8Array(small),
      "b.zip": "PK",
      "c.wav": silence(),
      "d.txt": "text",
      "e.png": new Uint8Array(small),
    },
  },
  async ({ page, address }) => {
    await entry(page, "a.png").dblclick();
    await shows(page, "a.png");
    const length = await page.evaluate(() => history.length);
    await page.getByRole("button", { name: "Next" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Previous" }).count(), 0);
    await page.keyboard.press("ArrowRight");
    await shows(page, "c.wav");
    await page.keyboard.press("Enter");
    await shows(page, "e.png");
    await page.getByRole("button", { name: "Next" }).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowLeft");
    await shows(page, "c.wav");
    await page.getByRole("button", { name: "Next" }).click();
    await shows(page, "e.png");
    assert.equal(await page.evaluate(() => history.length), length);
    assert.equal(new URL(page.url()).pathname, `${address}e.png`);

    await page.keyboard.press("Escape");
    await page.waitForURL(address);
    await page.locator('[aria-selected="true"]', { hasText: "e.png" }).waitFor();
    await page.locator("*:focus", { hasText: "e.png" }).waitFor();
    await page.goForward();
    await shows(page, "e.png");
    await page.goBack();
    await page.locator('[aria-selected="true"]', { hasText: "e.png" }).waitFor();
  },
);

const many = Object.fromEntries(
  Array.from({ length: 1500 }, (_, index) => [`${String(index).padStart(4, "0")}.gif`, "GIF89a"]),
);
play(
  "a link to a file far down a long folder knows its neighbours, and leads to its place there",
  { tree: { ...many, "1200.gif": new Uint8Array(small) }, expected: [501] },
  async ({ page, address }) => {
    await page.goto(`${address}1200.gif`);
    await shows(page, "1200.gif");
    await page.getByRole("button", { name: "Previous" }).waitFor();
    await page.getByRole("button", { name: "Back to folder" }).click();
    await page.waitForURL(address);
    await entry(page, "1200.gif").waitFor();
    assert.ok(await rowOf(page, "1200.gif").isVisible());
    assert.equal(await rowOf(page, "1200.gif").getAttribute("aria-selected"), "true");
    const box = await rowOf(page, "1200.gif").boundingBox();
    assert.ok(box && box.y > 0 && box.y < 800, "the row is out of sight");
  },
);

play(
  "the next picture is loaded ahead, and once; arrows hide without a sign of life, and come again",
  { tree: { "a.png": new Uint8Array(small), "b.png": new Uint8Array(small) } },
  async ({ page }) => {
    const loaded: string[] = [];
    page.on("requestfinished", (request) => {
      const [, name] = /\/api\/(?:raw|preview\/big)\/.*\/(.\.png)/.exec(request.url()) ?? [];
      if (name) loaded.push(name);
    });
    await entry(page, "a.png").dblclick();
    const next = page.getByRole("button", { name: "Next" });
    await next.waitFor();
    await eventually(() => Promise.resolve(loaded.includes("b.png")));
    await next.click();
    await page.getByRole("img", { name: "b.png" }).and(page.locator(":not([data-loading])"))
      .waitFor();
    assert.deepEqual(loaded.toSorted(), ["a.png", "b.png"]);
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByRole("img", { name: "a.png" }).and(page.locator(":not([data-loading])"))
      .waitFor();
    const opacityIs = (wanted: string) =>
      eventually(async () =>
        await next.evaluate((arrow) => getComputedStyle(arrow).opacity) === wanted
      );
    await opacityIs("0");
    await page.mouse.move(300, 300);
    await opacityIs("1");
    await opacityIs("0");
    await next.focus();
    await opacityIs("1");
  },
);

play(
  "what is looked at is renamed, told about and deleted, and the next one follows",
  {
    expected: [404, 501],
    tree: { "a.png": new Uint8Array(small), "b.png": new Uint8Array(small), "c.wav": silence() },
  },
  async ({ page, folder, address }) => {
    await entry(page, "b.png").dblclick();
    await shows(page, "b.png");
    await page.getByRole("button", { name: "Details" }).click();
    const details = page.getByRole("complementary", { name: "Details" });
    await details.getByText("b.png").first().waitFor();
    await details.getByRole("button", { name: "Close details" }).click();
    await details.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("bee.png");
    await page.keyboard.press("Enter");
    await shows(page, "bee.png");
    assert.ok((await Deno.stat(join(folder, "bee.png"))).isFile);

    await page.getByRole("button", { name: "Next" }).waitFor();
    await page.keyboard.press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    await shows(page, "c.wav");
    await page.getByRole("button", { name: "Previous" }).click();
    await shows(page, "a.png");
    const deleting = async () => {
      await page.getByRole("button", { name: "Delete" }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    };
    await page.getByRole("button", { name: "Next" }).waitFor();
    await deleting();
    await shows(page, "c.wav");
    await page.getByRole("button", { name: "Previous" }).waitFor({ state: "detached" });
    await deleting();
    await page.waitForURL(address);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  },
);

const album = {
  "a.png": new Uint8Array(small),
  "b.png": new Uint8Array(small),
  "c.png": new Uint8Array(small),
  "notes.txt": "text",
};

play(
  "pictures are counted, lie in a strip, are turned, and follow one another by themselves",
  { tree: album },
  async ({ page, address }) => {
    await page.clock.install();
    await page.goto(`${address}b.png`);
    await page.getByText(/^2 of 3/).waitFor();
    const strip = page.getByRole("navigation", { name: "Filmstrip" });
    await strip.getByRole("button", { name: "c.png" }).waitFor();
    assert.equal(await strip.getByRole("button").count(), 3);
    assert.deepEqual(await findBarriers(page), []);
    const flat = await look(page);
    await page.keyboard.press("r");
    await eventually(async () => {
      const { width, height } = await look(page);
      return Math.abs(width / height - flat.height / flat.width) < 0.02;
    });
    await page.mouse.dblclick(640, 380);
    await percent(page, "200%");
    await strip.getByRole("button", { name: "c.png" }).click();
    await shows(page, "c.png");
    await page.getByText(/^3 of 3/).waitFor();
    await page.keyboard.press("ArrowLeft");
    await shows(page, "b.png");
    await picture(page).waitFor();
    assert.match(await picture(page).getAttribute("style") ?? "", /rotate\(90deg\)/);

    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("combobox", { name: "Time per picture" }).selectOption("3");
    await page.waitForFunction(() =>
      document.querySelector(".viewer__picture:not([data-loading])")
    );
    await page.clock.fastForward(3100);
    await shows(page, "c.png");
    await picture(page).waitFor();
    await page.clock.fastForward(3100);
    await page.getByRole("button", { name: "Continue" }).waitFor();
    await shows(page, "c.png");
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Slideshow" }).waitFor();

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Hide filmstrip" }).click();
    await strip.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText(/^3 of 3/).waitFor();
    assert.equal(await strip.count(), 0, "the choice is remembered");
  },
);

play(
  "on a phone a finger that goes down closes a picture; what has no room is in a menu",
  { tree: album, device: "phone" },
  async ({ page, address }) => {
    await entry(page, "b.png").tap();
    await picture(page).waitFor();
    await page.getByText(/^2 of 3/).waitFor();
    assert.equal(await page.getByRole("navigation", { name: "Filmstrip" }).count(), 0);
    assert.deepEqual(await smallTargets(page), []);
    await page.getByRole("button", { name: "More actions" }).tap();
    for (const name of ["Move", "Copy", "Rename", "Details", "Show filmstrip", "Delete"]) {
      await page.getByRole("menuitem", { name }).waitFor();
    }
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "hidden" });
    const session = await page.context().newCDPSession(page);
    await fingers(session, [[{ x: 200, y: 300 }], [{ x: 200, y: 400 }], [{ x: 200, y: 520 }]]);
    await page.waitForURL(address);
  },
);

play(
  "music plays on while one browses, track after track, and is there again after a reload",
  {
    // A sound without a cover.
    expected: [501],
    tree: {
      songs: { "a.wav": silence(), "b.wav": silence(30), "c.txt": "text" },
      "film.txt": "text",
    },
  },
  async ({ page, address }) => {
    await entry(page, "songs").dblclick();
    await entry(page, "a.wav").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Play", exact: true }).click();
    const player = page.getByRole("region", { name: "Music player" });
    await player.getByRole("link", { name: "a", exact: true }).waitFor();
    await page.goBack();
    await page.waitForURL(address);
    await player.getByRole("link", { name: "b", exact: true }).waitFor();
    await player.getByText(/^0:0[1-9]/).waitFor();
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
    await player.getByText(/^0:0[1-9]/).waitFor();
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
    await player.getByRole("button", { name: "Close player" }).click();
    await player.waitFor({ state: "detached" });
  },
);

play(
  "a film plays with subtitles from where one wants, and a sound sounds",
  { expected: [501], tree: { "wave.wav": silence(2) } },
  async ({ page, folder, address }) => {
    await Deno.writeFile(join(folder, "film.webm"), await film(page));
    const cue = "1\n00:00:00,000 --> 00:01:00,000\nThe sea!\n";
    await Deno.writeTextFile(join(folder, "film.en.srt"), cue);
    await Deno.writeTextFile(join(folder, "film.de.srt"), cue.replace("The sea!", "Das Meer!"));
    await page.goto(`${address}film.webm`);
    await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) >= 1);
    await page.getByRole("button", { name: "Subtitles" }).click();
    await page.getByRole("menuitem", { name: "German" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("menuitem", { name: "English" }).click();
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
    await page.waitForFunction(() => document.querySelector("audio")?.duration === 2);
    await page.getByRole("region", { name: "Preview of wave.wav" }).focus();
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector("audio")?.paused === false);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector("audio")?.paused === true);
    assert.deepEqual(await findBarriers(page), []);
  },
);

play(
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

play(
  "a sound is followed by the next one, and the last by nothing",
  { expected: [501], tree: { "a.wav": silence(), "b.wav": silence(), "c.txt": "" } },
  async ({ page }) => {
    await entry(page, "a.wav").dblclick();
    await page.waitForFunction(() => document.querySelector("audio")?.duration === 1);
    await page.getByRole("region", { name: "Preview of a.wav" }).focus();
    await page.keyboard.press("Space");
    await shows(page, "b.wav");
    await page.waitForFunction(() => (document.querySelector("audio")?.currentTime ?? 0) > 0);
    await page.waitForFunction(() => document.querySelector("audio")?.ended === true);
    await shows(page, "b.wav");
  },
);

play(
  "what can't be shown says why, and offers what helps",
  {
    expected: [404, 501],
    tree: { "a.bin": "\0\0", "broken.png": "no picture", "gone.wav": silence() },
  },
  async ({ page, folder }) => {
    await entry(page, "a.bin").dblclick();
    await page.getByText("No preview available for this type of file.").waitFor();
    assert.equal(await viewer(page).getByRole("link", { name: "Open", exact: true }).count(), 1);
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ArrowRight");
    await page.getByText("The browser can’t read this file.").waitFor();
    const saved = page.waitForEvent("download");
    await viewer(page).getByRole("link", { name: "Download" }).click();
    assert.equal((await saved).suggestedFilename(), "broken.png");
    assert.deepEqual(await findBarriers(page), []);
    await Deno.remove(join(folder, "gone.wav"));
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", { name: "This location can’t be reached." }).waitFor();
    // The page sees by itself that the file is there again; the button is used below.
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await Deno.writeFile(join(folder, "gone.wav"), silence());
    await page.waitForFunction(() => document.querySelector("audio")?.duration === 1);
  },
);

play(
  "where the cookie has gone a ticket opens what is looked at",
  { expected: [401, 501], tree: { "a.png": new Uint8Array(small), "c.wav": silence() } },
  async ({ page }) => {
    await page.context().clearCookies();
    await entry(page, "a.png").dblclick();
    assert.match((await look(page)).source, /auth=/);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("audio")?.duration === 1);
  },
);

play(
  "a preview that does not load says so, and is tried again",
  { expected: [503], tree: { "a.png": new Uint8Array(small) } },
  async ({ page }) => {
    const failing = /_fresh\/js\//;
    await page.route(failing, (route) => route.fulfill({ status: 503 }));
    await entry(page, "a.png").dblclick();
    await page.getByRole("heading", { name: "This view couldn’t be loaded." }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.unroute(failing);
    await page.getByRole("button", { name: "Try again" }).click();
    await picture(page).waitFor();
  },
);

/** A log of almost 12 MB, whose lines are numbered. */
const log = Array.from({ length: 240_000 }, (_, index) => {
  return `${String(index).padStart(6, "0")} the quick brown fox jumps over the dog é\n`;
}).join("");

play(
  "a text too large for the editor is read in parts, from both ends",
  { tree: { "server.log": log, "disk.img": new Uint8Array(11 * 2 ** 20) } },
  async ({ page, address }) => {
    await page.goto(`${address}server.log`);
    const text = page.getByRole("region", { name: "server.log", exact: true });
    await text.getByText("000000 the quick").waitFor();
    await page.getByText("Too large for the editor, so you can only read it.").waitFor();
    await page.getByText("The first 1.05 MB of 11.").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText("The first 2.1 MB of 11.").waitFor();
    assert.ok(log.startsWith(await text.textContent() ?? " "), "the parts do not fit together");
    await page.getByRole("button", { name: "Go to the end" }).click();
    await text.getByText("239999 the quick").waitFor();
    await page.getByText("The last 1.05 MB of 11.").waitFor();
    assert.match(await text.textContent() ?? "", /^\d{6} the/);
    await page.getByRole("button", { name: "Go to the beginning" }).press("Enter");
    await text.getByText("000000 the quick").waitFor();

    await page.goto(`${address}disk.img`);
    await page.getByText("No preview available for this type of file.").waitFor();
  },
);
