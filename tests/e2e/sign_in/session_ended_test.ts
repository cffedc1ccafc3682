import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page, Response } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { editAlone, openText, stateIs, write } from "../../support/browser/editor.ts";
import { plantBytes, temporaryFolder } from "../../support/disks/files.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { entry, listingAwake } from "../../support/browser/listing.ts";
import { withholdCode } from "../../support/browser/scripts.ts";
import { chooseFiles, uploadsSettled } from "../../support/browser/uploads.ts";
import type { RunningServer } from "../../support/server/server.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [2] });

/** Ends every session of the user but a new one, as an administrator would. */
async function endSessions(server: RunningServer): Promise<void> {
  const { username, password } = server;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ username, password });
  const answer = await fetch(`${server.url}/api/login`, { method: "POST", headers, body });
  const token = await answer.text();
  const ended = await fetch(`${server.url}/api/sessions`, {
    method: "DELETE",
    headers: { "x-auth": token },
  });
  await ended.body?.cancel();
  assert.equal(ended.status, 200);
}

/**
 * Ends every session with the next call of a method, on its way to the server: earlier, the page
 * would see by itself that the session has ended.
 *
 * @returns the refusal of that call
 */
async function endWithCall(
  page: Page,
  server: RunningServer,
  method: string,
): Promise<{ refusal: Promise<Response> }> {
  const calls = /\/api\/resources\//;
  await intercept(page, calls, async (route) => {
    if (route.request().method() !== method) return await route.fallback();
    await endSessions(server);
    await route.continue();
    await page.unroute(calls);
  });
  const refusal = page.waitForResponse((answer) =>
    answer.request().method() === method && calls.test(answer.url())
  );
  return { refusal };
}

async function signInAgain(page: Page, { username, password }: RunningServer): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.waitFor();
  assert.equal(await dialog.getByLabel("Username").inputValue(), username);
  await dialog.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

test(
  "a session that ends under the user is taken up in place, and what was asked for is done",
  { tree: { "a.txt": "" }, expected: [401, 403] },
  async ({ page, server, folder, address }) => {
    const { refusal } = await endWithCall(page, server, "POST");
    await page.getByRole("button", { name: "New folder" }).first().click();
    await page.getByRole("dialog").getByRole("textbox").fill("made at last");
    await page.keyboard.press("Enter");

    assert.equal((await refusal).status(), 401);
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await dialog.getByLabel("Password").fill("not the password");
    await page.keyboard.press("Enter");
    await dialog.getByText("Wrong credentials").waitFor();
    await signInAgain(page, server);
    await entry(page, "made at last").waitFor();
    assert.equal(new URL(page.url()).pathname, address);
    await Deno.writeTextFile(join(folder, "live again.txt"), "");
    await entry(page, "live again.txt").waitFor();
  },
);

test(
  "keys pressed as the sign-in opens do not reach the page below it",
  { tree: { "a.txt": "" }, expected: [401, 403] },
  async ({ page, server }) => {
    await listingAwake(page);
    const release = await withholdCode(page);
    const asked = page.waitForRequest(/SignInPrompt/);
    await endSessions(server);
    await asked;
    for (const key of ["Escape", "x", "F1"]) await page.keyboard.press(key);
    const isModalAtOnce = page.evaluate(() =>
      new Promise<boolean>((resolve) => {
        new MutationObserver((_changes, observer) => {
          const dialog = document.querySelector("dialog");
          if (dialog === null) return;
          observer.disconnect();
          resolve(dialog.matches(":modal"));
        }).observe(document.body, { childList: true, subtree: true });
      })
    );
    release();
    assert.equal(await isModalAtOnce, true);
    assert.equal(await page.getByLabel("Password").inputValue(), "");
    await signInAgain(page, server);
    assert.equal(await page.getByRole("dialog").count(), 0);
  },
);

test(
  "other tabs go on when one of them signs in again",
  { tree: { "a.txt": "", sub: {} }, expected: [401] },
  async ({ page, server, address }) => {
    const other = await page.context().newPage();
    await other.goto(address);
    await entry(other, "a.txt").waitFor();
    await endSessions(server);
    // No real clicks: the stream of events ended as well, and the prompt may be there already.
    await entry(other, "sub").dispatchEvent("dblclick");
    await other.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await page.bringToFront();
    await entry(page, "sub").dispatchEvent("dblclick");
    await signInAgain(page, server);
    await other.bringToFront();
    await other.waitForURL(`${address}sub/`);
    await other.getByText("It feels lonely here…").waitFor();
  },
);

test(
  "what was written when the session ended is saved once the user has signed in again",
  { tree: { "notes.txt": "one\n" }, expected: [401] },
  async ({ page, server, folder, address }) => {
    await editAlone(page);
    const { refusal } = await endWithCall(page, server, "PUT");
    const text = await openText(page, address, "notes.txt");
    await write(page, text, "two");
    await page.keyboard.press("ControlOrMeta+s");
    assert.equal((await refusal).status(), 401);
    await signInAgain(page, server);
    await stateIs(page, "Saved");
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "one\ntwo");
    await write(page, text, "!");
    await stateIs(page, "Unsaved changes");
  },
);

test(
  "uploads outlast the end of the session",
  { expected: [401, 0] },
  async ({ page, server, folder }) => {
    await using outside = await temporaryFolder();
    const names = Array.from({ length: 8 }, (_, index) => `${index}.bin`);
    for (const name of names) await plantBytes(join(outside.path, name), 300_000);
    const network = await page.context().newCDPSession(page);
    const uploadThroughput = 100_000;
    await network.send("Network.emulateNetworkConditions", {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
    });
    await chooseFiles(page, names.map((name) => join(outside.path, name)));
    await page.getByRole("progressbar", { name: "All uploads" }).waitFor();
    await endSessions(server);
    await network.send("Network.emulateNetworkConditions", {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
    });
    await signInAgain(page, server);
    await uploadsSettled(page);
    for (const name of names) {
      assert.equal((await Deno.stat(join(folder, name))).size, 300_000, name);
    }
  },
);
