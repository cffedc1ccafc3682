/** Texts that cannot be saved or sent, or not be written together: what people are told, and keep. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { openText, stateIs, textOf, write } from "../../support/browser/editor.ts";
import { eventually } from "../../support/browser/listing.ts";
import { browserTests, type Fixture, signIn } from "../../support/browser/browser_tests.ts";
import { addUser, theirPassword, tokenFor } from "../../support/browser/settings.ts";
import { comeAs, comeAsGuest, togetherIs } from "../../support/browser/together.ts";
import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ workerCounts: [1], flags: ["--webdav"] });

const saved = (path: string, text: string) =>
  eventually(async () => await Deno.readTextFile(path) === text);

/** Saves a copy by the button of a notice; its text. */
async function copyOf(page: Page, notice: Locator): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    notice.getByRole("button", { name: "Save a copy" }).click(),
  ]);
  return await Deno.readTextFile(await download.path());
}

/** Sends a change beside the browser, as the administrator. */
async function change(server: RunningServer, method: string, path: string, json?: object) {
  const token = await tokenFor(server, server.username, server.password);
  const body = json && JSON.stringify({ ...json, current_password: server.password });
  const headers = { "x-auth": token };
  const answer = await fetch(`${server.url}/api/${path}`, { method, headers, body });
  const text = await answer.text();
  assert.ok(answer.ok, text);
}

const may = permissionsWhere((name) => name === "download" || name === "modify");
const mayView = permissionsWhere((name) => name === "download");

/** Makes a user of the folder of the test, who opens a file of it; the address of the user, too. */
async function comeHome(fixture: Fixture, file: string, data: object = {}) {
  const { server, folder } = fixture;
  const scope = folder.slice(server.root.length);
  const username = `home of ${scope.slice(1)}`;
  const user = await addUser(server, username, { scope, perm: may, ...data });
  const visitor = await comeAsGuest(fixture);
  await signIn(visitor.page, { ...server, username, password: theirPassword }, `/files/${file}`);
  await togetherIs(visitor.page, "saved");
  return { ...visitor, user };
}

test(
  "a file that another program has locked is told of, copied, and saved once it is free",
  { tree: { "notes.txt": "one\n" }, once: true },
  async (fixture) => {
    const { page, server, folder, address } = fixture;
    const text = await openText(page, address, "notes.txt");
    await togetherIs(page, "saved");
    const name = `program of ${address.slice(7, -1)}`;
    await addUser(server, name, { perm: may, scope: "/" });
    const file = `${server.url}/dav${folder.slice(server.root.length)}/notes.txt`;
    const authorization = `Basic ${btoa(`${name}:${theirPassword}`)}`;
    const body = '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>' +
      "<D:locktype><D:write/></D:locktype></D:lockinfo>";
    const lock = await fetch(file, { method: "LOCK", headers: { authorization }, body });
    assert.equal(lock.status, 200, await lock.text());
    await write(page, text, "two");
    const notice = page.getByRole("alert").filter({ hasText: "working on this file" });
    await notice.waitFor();
    await page.locator(".editor__state", { hasText: "Not saved" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.equal(await copyOf(page, notice), "one\ntwo");
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "one\n");
    const headers = { authorization, "lock-token": lock.headers.get("lock-token") ?? "" };
    assert.equal((await fetch(file, { method: "UNLOCK", headers })).status, 204);
    await notice.getByRole("button", { name: "Try again" }).click();
    await saved(join(folder, "notes.txt"), "one\ntwo");
    await notice.waitFor({ state: "detached" });
    await togetherIs(page, "saved");
  },
);

test(
  "what the quota of its owner has no room for is told of, copied, and saved once it fits",
  { tree: { "notes.txt": "one\n" }, once: true },
  async (fixture) => {
    const { server, folder } = fixture;
    const path = join(folder, "notes.txt");
    const quota = { bytes: 100, files: 0 };
    await using home = await comeHome(fixture, "notes.txt", { quota });
    const { page, user } = home;
    await write(page, textOf(page, "notes.txt"), "x".repeat(200));
    const notice = page.getByRole("alert").filter({ hasText: "couldn’t be saved" });
    await notice.filter({ hasText: "quota" }).waitFor();
    const whole = `one\n${"x".repeat(200)}`;
    assert.equal(await copyOf(page, notice), whole);
    assert.equal(await Deno.readTextFile(path), "one\n");
    const data = { quota: { bytes: 0, files: 0 } };
    await change(server, "PUT", user, { what: "user", which: ["quota"], data });
    await notice.getByRole("button", { name: "Try again" }).click();
    await saved(path, whole);
    await notice.waitFor({ state: "detached" });
  },
);

/** Signs in where the page asks for it: a change of rights has ended the session. */
async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Password").fill(theirPassword);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
}

test(
  "who loses the right to edit while offline is told so, and keeps what was written to copy",
  { tree: { "notes.txt": "one\n" }, expected: [0, 401], once: true },
  async (fixture) => {
    const { server, folder } = fixture;
    const path = join(folder, "notes.txt");
    await using home = await comeHome(fixture, "notes.txt");
    const { page, user } = home;
    const text = textOf(page, "notes.txt");
    await write(page, text, "two");
    await saved(path, "one\ntwo");
    await page.context().setOffline(true);
    await togetherIs(page, "offline");
    await write(page, text, " three");
    await change(server, "PUT", user, { what: "user", which: ["perm"], data: { perm: mayView } });
    await page.context().setOffline(false);
    await signInAgain(page);
    const notice = page.getByRole("alert").filter({ has: page.getByRole("button") });
    await notice.waitFor();
    assert.equal(await copyOf(page, notice), "one\ntwo three");
    await text.getByText("two three").waitFor();
    await write(page, text, "never");
    assert.equal(await text.getByText("never").count(), 0);
    assert.equal(await Deno.readTextFile(path), "one\ntwo");
    assert.deepEqual(await findBarriers(page), []);
    // Given back, it is sent.
    await change(server, "PUT", user, { what: "user", which: ["perm"], data: { perm: may } });
    await signInAgain(page);
    await saved(path, "one\ntwo three");
    await notice.waitFor({ state: "detached" });
  },
);

const latin = "Gr\xfc\xdfe aus K\xf6ln\r\nund M\xfcnchen\r\n";

/** The bytes of a text of Western Europe. */
const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test(
  "why a text is edited alone is said in a line, and lines that one did not edit stay as they were",
  {
    tree: {
      "mixed.txt": "a\r\nb\nc\r\n",
      "latin.txt": bytesOf(latin),
    },
    once: true,
  },
  async ({ page, folder, address }) => {
    const rooms: string[] = [];
    page.on("websocket", (socket) => {
      if (socket.url().includes("/coediting/")) rooms.push(socket.url());
    });
    const cases = [
      ["mixed.txt", "its line endings are mixed", "xa\r\nb\nc\r\ny"],
      ["latin.txt", "texts in Windows-1252 can’t be edited together", `x${latin}y`],
    ] as const;
    for (const [name, words, after] of cases) {
      const text = await openText(page, address, name);
      const notice = page.getByRole("note").filter({ hasText: words });
      await notice.filter({ hasText: "editing this file alone" }).waitFor();
      assert.equal(await page.locator(".remark[role=alert]").count(), 0);
      await text.focus();
      await page.keyboard.press("ControlOrMeta+Home");
      await page.keyboard.type("x");
      await write(page, text, "y");
      await page.keyboard.press("ControlOrMeta+s");
      await stateIs(page, "Saved");
      assert.deepEqual(await Deno.readFile(join(folder, name)), bytesOf(after), name);
      assert.deepEqual(await findBarriers(page), []);
    }
    assert.deepEqual(rooms, []);
  },
);

/** Waits until the browser has kept words that the server lacks: it does so a moment later. */
async function keeps(page: Page, words: string): Promise<void> {
  await page.waitForFunction(async (words) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open("cubby-coediting"));
    const texts: { mine: Uint8Array }[] = await done(
      database.transaction("unsent").objectStore("unsent").getAll(),
    );
    database.close();
    return texts.some(({ mine }) => new TextDecoder().decode(mine).includes(words));
  }, words);
}

/** Somebody writes " hers" offline, and closes the page; answers with the context, online again. */
async function writeAndLeave(fixture: Fixture, meanwhile: () => Promise<void>) {
  const { page, address } = fixture;
  const name = `Away ${address.slice(7, -1)}`;
  const away = await comeAs(fixture, name, `${address}notes.txt`);
  const context = away.page.context();
  const text = textOf(away.page, "notes.txt");
  await togetherIs(away.page, "saved");
  await context.setOffline(true);
  await togetherIs(away.page, "offline");
  await write(away.page, text, " hers");
  await text.getByText("one hers").waitFor();
  await keeps(away.page, " hers");
  await away.page.close();
  await meanwhile();
  await context.setOffline(false);
  assert.ok(page);
  return { next: await context.newPage(), [Symbol.asyncDispose]: away[Symbol.asyncDispose] };
}

test(
  "what was written offline is in the file also when that was renamed meanwhile",
  { tree: { "notes.txt": "one" }, expected: [0], once: true },
  async (fixture) => {
    const { server, folder, address } = fixture;
    const place = folder.slice(server.root.length);
    const to = encodeURIComponent(`${place}/renamed.txt`);
    const query = `action=rename&destination=${to}`;
    await using away = await writeAndLeave(
      fixture,
      () => change(server, "PATCH", `resources${place}/notes.txt?${query}`),
    );
    await away.next.goto(`${address}renamed.txt`);
    await textOf(away.next, "renamed.txt").getByText("one hers").waitFor();
    await saved(join(folder, "renamed.txt"), "one hers");
    assert.equal(await away.next.locator(".remark[role=alert]").count(), 0);
  },
);

test(
  "what was written offline is offered when its file is gone, until it is discarded",
  { tree: { "notes.txt": "one", "other.txt": "other" }, expected: [0, 404], once: true },
  async (fixture) => {
    const { folder, address } = fixture;
    await using away = await writeAndLeave(
      fixture,
      () => Deno.rename(join(folder, "notes.txt"), join(folder, "by a program.txt")),
    );
    const { next } = away;
    for (let round = 0; round < 2; round++) {
      await next.goto(`${address}other.txt`);
      const notice = next.getByRole("alert").filter({ hasText: "Your changes to “notes.txt”" });
      await notice.waitFor();
      assert.equal(await copyOf(next, notice), "one hers");
      assert.deepEqual(await findBarriers(next), []);
      if (round === 0) continue;
      await notice.getByRole("button", { name: "Discard" }).click();
      await notice.waitFor({ state: "detached" });
    }
    await next.goto(`${address}other.txt`);
    await togetherIs(next, "saved");
    assert.equal(await next.locator(".remark[role=alert]").count(), 0);
    assert.equal(await Deno.readTextFile(join(folder, "other.txt")), "other");
  },
);
