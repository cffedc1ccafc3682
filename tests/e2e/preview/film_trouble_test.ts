/** Films that are played while something goes wrong around them, or is in the way. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { button, play, plays, position } from "../../support/browser/film.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { share } from "../../support/browser/settings.ts";
import { makeFilms, makeHeavy, makePlayed } from "../../support/data/films.ts";
import { ensureMediaPrograms } from "../../support/disks/media_programs.ts";
import type { RunningServer } from "../../support/server/server.ts";

await ensureMediaPrograms();
const [made, played, heavy] = await Promise.all([makeFilms(), makePlayed(), makeHeavy()]);
const films = { ...made, ...played };
// With a server of its own: one test ends all sessions of its user.
const test = browserTests({
  workerCounts: [1],
  flags: ["--disable-media-programs=false"],
  alone: true,
});

/** The position of the film, in seconds. */
async function now(page: Page): Promise<number> {
  return await page.evaluate(() =>
    document.querySelector<HTMLVideoElement>(".film__video")?.currentTime ?? -1
  );
}

/** Waits until the player has nothing left to show. */
async function runsDry(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const video = document.querySelector<HTMLVideoElement>(".film__video");
    return video && !video.paused && video.readyState < 3;
  });
}

test("a film that is deleted while it plays says that it is gone", {
  expected: [404],
  tree: { "long.mkv": films["long.mkv"] },
}, async ({ page, folder, address }) => {
  await page.goto(`${address}long.mkv`);
  await play(page);
  await plays(page, 0.2);
  await Deno.remove(join(folder, "long.mkv"));
  await page.getByRole("heading", { name: "This location can’t be reached." }).waitFor();
});

async function endSessions({ url, username, password }: RunningServer): Promise<void> {
  const body = JSON.stringify({ username, password });
  const answer = await fetch(`${url}/api/login`, { method: "POST", body });
  const headers = { "x-auth": await answer.text() };
  const ended = await fetch(`${url}/api/sessions`, { method: "DELETE", headers });
  await ended.body?.cancel();
  assert.equal(ended.status, 200);
}

async function signInAgain(page: Page, { password }: RunningServer): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.waitFor();
  await dialog.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

test("a film goes on where it was once its user has signed in again: a stream", {
  expected: [401, 403],
  tree: { "long.mkv": films["long.mkv"] },
}, async ({ page, address, server }) => {
  await page.goto(`${address}long.mkv`);
  await play(page);
  await plays(page, 0.2);
  await endSessions(server);
  await position(page).fill("60");
  await signInAgain(page, server);
  await plays(page, 50);
});

test("a film goes on where it was once its user has signed in again: the file itself", {
  expected: [401, 403],
  tree: { "heavy.mp4": heavy },
}, async ({ page, address, server }) => {
  await page.goto(`${address}heavy.mp4`);
  await play(page);
  await plays(page, 0.2);
  await endSessions(server);
  // The browser has not loaded that.
  await position(page).fill("35");
  await signInAgain(page, server);
  await plays(page, 35);
});

test("a stream goes on after the network was gone", {
  expected: [0],
  tree: { "long.mkv": films["long.mkv"] },
}, async ({ page, address }) => {
  await page.goto(`${address}long.mkv`);
  await play(page);
  await plays(page, 0.2);
  await page.context().setOffline(true);
  await position(page).fill("60");
  await runsDry(page);
  await page.getByText("The server can’t be reached. Trying again…").waitFor();
  await page.context().setOffline(false);
  await plays(page, 50);
});

test("a film that the browser plays itself goes on after the server was away", {
  expected: [503],
  tree: { "heavy.mp4": heavy },
}, async ({ page, address }) => {
  await page.goto(`${address}heavy.mp4`);
  await play(page);
  await plays(page, 0.2);
  let isAway = true;
  await intercept(page, /\/(api|health)/, async (route) => {
    if (isAway) await route.fulfill({ status: 503, body: "away" });
    else await route.fallback();
  });
  await position(page).fill("35");
  await page.getByText("The server can’t be reached. Trying again…").waitFor();
  isAway = false;
  await plays(page, 35);
});

test("one user watches two places of a film in two tabs", {
  tree: { "long.mkv": films["long.mkv"] },
}, async ({ page, address }) => {
  const other = await page.context().newPage();
  for (const each of [page, other]) {
    await each.goto(`${address}long.mkv`);
    await play(each);
    await plays(each, 0.1);
  }
  await position(page).fill("30");
  await position(other).fill("60");
  await Promise.all([plays(page, 24), plays(other, 54)]);
  const [here, there] = [await now(page), await now(other)];
  await Promise.all([plays(page, here + 5), plays(other, there + 5)]);
  await other.close();
});

test("the films of a share with a password play, and go on after a reload", {
  expected: [401],
  tree: { films: { "long.mkv": films["long.mkv"], "plain.mp4": films["plain.mp4"] } },
}, async ({ page, folder, server }) => {
  const { hash } = await share(server, join(folder.slice(server.root.length), "films"), {
    password: "open sesame",
  });
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto(`/share/${hash}/long.mkv`);
  await page.getByLabel("Password").fill("open sesame");
  await page.keyboard.press("Enter");
  await play(page);
  await plays(page, 0.2);
  await position(page).fill("40");
  await plays(page, 30);
  await page.locator(".seek").hover();
  await page.locator(".film__peek-picture").waitFor();
  await button(page, "Next video: plain.mp4").click();
  await plays(page, 0.2);
  await position(page).fill("8");
  await plays(page, 8);
  await page.goto(`/share/${hash}/long.mkv`);
  const password = page.getByLabel("Password");
  await password.or(button(page, "Play")).first().waitFor();
  if (await password.count() > 0) {
    await password.fill("open sesame");
    await page.keyboard.press("Enter");
  }
  await page.getByText(/^Resumed at 0:[34]\d$/).waitFor();
});

test("a film that is still written plays on while it grows", {
  // There is no thumbnail of what changes.
  expected: [403],
  tree: { "long.mkv": films["long.mkv"].slice(0, films["long.mkv"].length / 2) },
}, async ({ page, folder, address }) => {
  const rest = films["long.mkv"].slice(films["long.mkv"].length / 2);
  const file = await Deno.open(join(folder, "long.mkv"), { append: true });
  let at = 0;
  const growing = setInterval(() => {
    file.writeSync(rest.subarray(at, at += 500));
  }, 50);
  try {
    await page.goto(`${address}long.mkv`);
    await play(page);
    await plays(page, 3);
    await position(page).fill("20");
    await plays(page, 21);
    assert.ok(at < rest.length, "it has not ended meanwhile");
  } finally {
    clearInterval(growing);
    file.close();
  }
});
