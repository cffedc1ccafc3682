import assert from "node:assert/strict";
import type {
  NotificationInfo,
  NotificationPage,
} from "../../../lib/shared/schemas/notification.ts";
import { maxNotifications } from "../../../lib/shared/schemas/choices/notification_choices.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { askForFiles, sendAsVisitor } from "../../support/clients/visiting.ts";

const app = await startApp({
  // What was told is written at once where it is asked for in the same process.
  inProcess: true,
  tree: { anna: { Invoices: {}, "sea.jpg": "sea" } },
});
Deno.test.afterAll(app.close);
const anna = await app.addUser("anna", { scope: "/anna" });
const mallory = await app.addUser("mallory", { scope: "/anna" });
const admin = await app.tokenOf("admin");

Deno.test.beforeEach(async () => {
  await app.cubby.notifications.records.clear(anna.user.id);
});

async function itemsOf(token: string): Promise<NotificationInfo[]> {
  const answer = await app.call("GET", "/api/notifications?limit=100", { token });
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json() as NotificationPage).items;
}

async function tokenFor(draft: object): Promise<string> {
  const json = { write: true, share: true, folder: null, expires: null, ...draft };
  const body = { ...json, current_password: userPassword };
  const answer = await app.call("POST", "/api/tokens", { token: anna.token, json: body });
  assert.equal(answer.status, 201, await answer.clone().text());
  return (await answer.json()).token;
}

Deno.test("notifications: nobody reads, marks or removes those of another", async () => {
  const { records } = app.cubby.notifications;
  await records.add(anna.user.id, [{ kind: "quota_near", at: Date.now() }]);
  const [own] = await itemsOf(anna.token);
  assert.ok(own);
  for (const token of [mallory.token, admin]) {
    assert.ok(!(await itemsOf(token)).some(({ id }) => id === own.id));
    for (const [method, path] of [["PATCH", `/${own.id}`], ["DELETE", `/${own.id}`]] as const) {
      const json = { read: true };
      const answer = await app.call(method, `/api/notifications${path}`, { token, json });
      await assertRefused(answer, 404, "not_found");
    }
    for (const method of ["PATCH", "DELETE"]) {
      const json = { read: true };
      const answer = await app.call(method, "/api/notifications", { token, json });
      await answer.body?.cancel();
      const query = { token, json: { ...json, user: anna.user.id, userID: anna.user.id } };
      await (await app.call(method, `/api/notifications?user=${anna.user.id}`, query)).body
        ?.cancel();
    }
  }
  assert.deepEqual(await itemsOf(anna.token), [own]);
});

Deno.test("notifications: the names that visitors give are text, and one short line", async () => {
  const hash = await askForFiles(app, anna.token, "/Invoices");
  const names = [
    ["Bank\r\nSubject: pay", "BankSubject: pay"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["\u202etxt.exe\u2066", "txt.exe"],
    ["  a \t b  ", "a b"],
    ["\0\x1b[31m", "[31m"],
  ] as const;
  for (const [index, [sender]] of names.entries()) {
    await sendAsVisitor(app, hash, { name: `${index}.txt`, body: "1", sender });
  }
  await sendAsVisitor(app, hash, { name: "long.txt", body: "1", sender: "日本".repeat(200) });
  const told = (await itemsOf(anna.token)).map(({ who }) => who ?? "");
  const [long = ""] = told.filter((who) => who.startsWith("日"));
  assert.deepEqual(
    told.filter((who) => who !== long).toSorted(),
    names.map(([, who]) => who).toSorted(),
  );
  assert.ok(new TextEncoder().encode(long).length <= 100);
  const page = await app.call("GET", "/files/", {
    headers: { cookie: `auth=${anna.token}`, accept: "text/html" },
  });
  assert.ok(!(await page.text()).includes("<img src=x"));
});

Deno.test("notifications: a flood by a request displaces nothing, and stays bounded", async () => {
  const { records } = app.cubby.notifications;
  await records.add(anna.user.id, [{ kind: "factors_changed", at: Date.now() - 1_000 }]);
  const hash = await askForFiles(app, anna.token, "/Invoices");
  for (let sent = 0; sent < maxNotifications + 10; sent++) {
    await sendAsVisitor(app, hash, { name: "f.txt", body: "1", sender: `visitor ${sent}` });
  }
  const items = await itemsOf(anna.token);
  assert.equal(items.length, maxNotifications);
  assert.equal(items.filter(({ kind }) => kind === "factors_changed").length, 1);
  assert.ok(items.some(({ who }) => who === `visitor ${maxNotifications + 9}`));
});

Deno.test("notifications: an API token sees what its scope is about, and changes nothing", async () => {
  const { records } = app.cubby.notifications;
  const at = Date.now();
  const all = [
    ...["received", "share_opened", "shared_with_me", "job_done", "quota_near", "new_device"],
    ...["factors_changed", "password_changed", "webhook_ended"],
  ] as const;
  await records.add(anna.user.id, all.map((kind) => ({ kind, at })));
  const kindsOf = async (token: string) =>
    (await itemsOf(token)).map(({ kind }) => kind).toSorted();
  const whole = await tokenFor({ name: "whole" });
  assert.deepEqual(await kindsOf(whole), [
    ...["job_done", "quota_near", "received", "share_opened", "shared_with_me"],
  ]);
  const reading = await tokenFor({ name: "reading", write: false, share: false });
  assert.deepEqual(await kindsOf(reading), ["job_done", "quota_near"]);
  const answer = await app.call("GET", "/api/notifications", { token: reading });
  assert.equal((await answer.json()).unread, 2);
  const bound = await tokenFor({ name: "bound", folder: "/Invoices" });
  await assertRefused(
    await app.call("GET", "/api/notifications", { token: bound }),
    403,
    "forbidden",
  );
  const [{ id } = { id: "" }] = await itemsOf(anna.token);
  for (const path of ["", `/${id}`]) {
    for (const method of ["PATCH", "DELETE"]) {
      const asked = { token: whole, json: { read: true } };
      const refused = await app.call(method, `/api/notifications${path}`, asked);
      await assertRefused(refused, 403, "forbidden");
    }
  }
  assert.equal((await itemsOf(anna.token)).filter(({ read }) => read).length, 0);
});

Deno.test("notifications: the visitor of a share or a request learns nothing of them", async () => {
  const json = { notify: true };
  const made = await app.call("POST", "/api/share/sea.jpg", { token: anna.token, json });
  const { hash } = await made.json();
  const request = await askForFiles(app, anna.token, "/Invoices");
  const open = (path: string) => app.call("GET", path, { headers: { accept: "text/html" } });
  const told: string[] = [];
  for (const path of [`/share/${hash}`, `/request/${request}`]) {
    told.push(await (await open(path)).text());
  }
  told.push(await (await app.call("GET", `/api/public/share/${hash}`)).text());
  for (const text of told) assert.doesNotMatch(text, /"notify":true|"unread":\d/);
  for (const path of ["", `/${hash}`]) {
    const headers = { "x-share-password": "", "x-request-token": request };
    const answer = await app.call("GET", `/api/notifications${path}`, { headers });
    assert.ok(answer.status === 401 || answer.status === 405, String(answer.status));
    await answer.body?.cancel();
  }
  // Whoever is signed in and comes by a link that anybody may have is not named.
  const visit = { token: mallory.token };
  await (await app.call("GET", `/api/public/dl/${hash}`, visit)).text();
  const opened = (await itemsOf(anna.token)).filter(({ kind }) => kind === "share_opened");
  assert.deepEqual(opened.map(({ who }) => who), [null]);
});
