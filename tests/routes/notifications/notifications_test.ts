import assert from "node:assert/strict";
import { join } from "node:path";
import type {
  NotificationInfo,
  NotificationPage,
} from "../../../lib/shared/schemas/notification.ts";
import { longMs } from "../../../lib/server/features/jobs/awaited.ts";
import { type Job, newJob } from "../../../lib/server/features/jobs/job.ts";
import { isEnded } from "../../../lib/server/features/jobs/job_states.ts";
import { delay } from "../../../lib/shared/delay.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { deny } from "../../support/data/rules.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { askForFiles, sendAsVisitor } from "../../support/clients/visiting.ts";

const app = await startApp({
  // What was told is written at once where it is asked for in the same process.
  inProcess: true,
  tree: { anna: { Invoices: {}, "sea.jpg": "sea", deep: { "a.txt": "a" }, piped: {} }, berta: {} },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();
const admin = await app.tokenOf("admin");
const anna = await app.addUser("anna", { scope: "/anna" });
const berta = await app.addUser("berta", { scope: "/berta" });

/** Each test begins with nothing to tell. */
Deno.test.beforeEach(async () => {
  for (const { user } of [anna, berta]) {
    await app.cubby.notifications.records.clear(user.id);
    await app.cubby.users.update(user.id, { mutedNotifications: [] });
  }
  await app.cubby.notifications.records.clear(1);
});

async function pageOf(token: string, query = ""): Promise<NotificationPage> {
  const answer = await app.call("GET", `/api/notifications${query}`, { token });
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
}

async function call(method: string, path: string, options: object): Promise<Response> {
  const answer = await app.call(method, path, options);
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer;
}

async function share(path: string, json: object = {}, token = anna.token): Promise<string> {
  return (await (await call("POST", `/api/share${path}`, { token, json })).json()).hash;
}

function facts({ kind, who, name, path, link }: NotificationInfo) {
  return { kind, who, name, path, link };
}

Deno.test("notifications want a session, and a body that makes sense", async () => {
  const calls = ["GET ", "PATCH ", "DELETE ", "PATCH /x", "DELETE /x"];
  for (const one of calls) {
    const [method = "", path] = one.split(" ");
    const body = method === "GET" ? {} : { json: { read: true } };
    const answer = await app.call(method, `/api/notifications${path}`, body);
    await assertRefused(answer, 401, "not_signed_in", one);
  }
  const { token } = anna;
  for (const json of [{}, { read: "yes" }, { read: true, until: "yesterday" }]) {
    const answer = await app.call("PATCH", "/api/notifications", { token, json });
    await assertRefused(answer, 400, "invalid_body", JSON.stringify(json));
  }
  for (const query of ["?before=x", "?before=1", "?limit=x"]) {
    const answer = await app.call("GET", `/api/notifications${query}`, { token });
    await assertRefused(answer, 400, "invalid_option", query);
  }
  for (const method of ["PATCH", "DELETE"]) {
    const path = "/api/notifications/none";
    await assertRefused(
      await app.call(method, path, { token, json: { read: true } }),
      404,
      "not_found",
    );
  }
});

Deno.test("the owner of a request is told who sent how much, and where it is", async () => {
  const hash = await askForFiles(app, anna.token, "/Invoices");
  for (const name of ["a.pdf", "b.pdf", "c.pdf"]) {
    await sendAsVisitor(app, hash, { name, body: "12345", sender: "Anton" });
  }
  const { unread, items: [item, ...others] } = await pageOf(anna.token);
  assert.deepEqual([unread, others], [1, []]);
  assert.ok(item);
  assert.deepEqual(facts(item), {
    ...{ kind: "received", who: "Anton", name: "Invoices", path: "/Invoices", link: hash },
  });
  assert.deepEqual([item.count, item.bytes, item.read], [3, 15, false]);
  assert.deepEqual((await pageOf(admin)).items, []);

  // It follows the folder, and leads nowhere when that is gone.
  await call("PATCH", "/api/resources/Invoices?action=rename&destination=/Bills", anna);
  assert.equal((await pageOf(anna.token)).items[0]?.path, "/Bills");
  await call("DELETE", "/api/resources/Bills", anna);
  const [gone] = (await pageOf(anna.token)).items;
  assert.deepEqual([gone?.path, gone?.link, gone?.name], [null, null, "Invoices"]);
});

Deno.test("a folder that a rule hides by now is not named", async () => {
  const { user, token } = await app.addUser("ruled", { scope: "/anna" });
  const hash = await askForFiles(app, token, "/deep");
  await sendAsVisitor(app, hash, { name: "a.pdf", body: "1" });
  await app.cubby.users.update(user.id, { rules: [deny("/deep")] });
  const [item] = (await pageOf(await app.tokenOf("ruled"))).items;
  assert.deepEqual([item?.kind, item?.name, item?.path], ["received", null, null]);
});

Deno.test("an owner who wants to know is told of the first use of a share, and of its last", async () => {
  const quiet = await share("/sea.jpg");
  const told = await share("/sea.jpg", { notify: true, downloadLimit: 2 });
  for (const hash of [quiet, told]) await call("GET", `/api/public/share/${hash}`, {});
  for (let load = 0; load < 2; load++) {
    await (await call("GET", `/api/public/dl/${told}`, { from: "192.0.2.5" })).text();
  }
  await assertRefused(await app.call("GET", `/api/public/dl/${told}`), 404, "not_found");
  const { items } = await pageOf(anna.token);
  const about = { who: null, name: "sea.jpg", path: "/sea.jpg", link: told };
  assert.deepEqual(items.map(facts).toSorted((a, b) => a.kind < b.kind ? -1 : 1), [
    { kind: "share_opened", ...about },
    { kind: "share_used_up", ...about },
  ]);
});

Deno.test("an owner is not told of the own use, and may ask anew", async () => {
  const hash = await share("/sea.jpg", { notify: true });
  await (await call("GET", `/api/public/dl/${hash}`, anna)).text();
  assert.equal((await pageOf(anna.token)).unread, 0);
  const visit = async (from: string) =>
    void await (await call("GET", `/api/public/dl/${hash}`, { from })).text();
  await visit("192.0.2.1");
  await visit("192.0.2.2");
  assert.equal((await pageOf(anna.token)).unread, 1);
  for (const notify of [false, true]) {
    await call("PATCH", `/api/share/${hash}`, { ...anna, json: { notify } });
  }
  await visit("192.0.2.3");
  assert.equal((await pageOf(anna.token)).unread, 2);
  const listed = await (await call("GET", "/api/shares", anna)).json();
  assert.equal(listed.find((each: { hash: string }) => each.hash === hash).notify, true);
});

Deno.test("an owner whose share leads elsewhere is told of its first use and its last download anew", async () => {
  const hash = await share("/sea.jpg", { notify: true, downloadLimit: 1 });
  const load = async () => {
    const answer = await app.call("GET", `/api/public/dl/${hash}`, { from: "192.0.2.1" });
    await answer.body?.cancel();
    return answer.status;
  };
  const change = async (json: object) => {
    await call("PATCH", `/api/share/${hash}`, { ...anna, json });
  };
  const kinds = async () => (await pageOf(anna.token)).items.map(({ kind }) => kind).toSorted();
  assert.deepEqual([await load(), await load()], [200, 404]);
  assert.deepEqual(await kinds(), ["share_opened", "share_used_up"]);
  // Another lifetime leads to the same entry: of its first use its owner knows.
  await change({ downloadLimit: 3 });
  await change({ expires: 1 });
  assert.equal(await load(), 200);
  assert.deepEqual(await kinds(), ["share_opened", "share_used_up"]);
  await change({ path: "/deep/a.txt" });
  assert.deepEqual([await load(), await load()], [200, 404]);
  assert.deepEqual(await kinds(), [
    ...["share_opened", "share_opened", "share_used_up", "share_used_up"],
  ]);
});

Deno.test("those for whom a share is are told once, the members of groups as well", async () => {
  const group = await app.cubby.users.groups.create({
    ...{ name: "team", perm: anna.user.perm, rules: [], roots: [], quota: { bytes: 0, files: 0 } },
  });
  const carl = await app.addUser("carl", { groups: [group.id] });
  const hash = await share("/sea.jpg", { audience: ["berta"] });
  await call("PATCH", `/api/share/${hash}`, { ...anna, json: { audience: ["berta", "@team"] } });
  for (const { token } of [berta, carl]) {
    assert.deepEqual((await pageOf(token)).items.map(facts), [{
      ...{ kind: "shared_with_me", who: "anna", name: "sea.jpg", path: null, link: hash },
    }]);
  }
  assert.deepEqual((await pageOf(anna.token)).items, []);
  await call("PATCH", `/api/share/${hash}`, { ...anna, json: { audience: ["carl"] } });
  assert.equal((await pageOf(berta.token)).items[0]?.link, null);
});

Deno.test("a user is told that an administrator has set the password, or removed factors", async () => {
  const { user } = await app.addUser("dora");
  const json = {
    ...{ what: "user", which: ["password"], data: { password: "a new password of dora's" } },
    current_password: app.admin.password,
  };
  await call("PUT", `/api/users/${user.id}`, { token: admin, json });
  const { items } = await pageOf(await app.tokenOf("dora"));
  assert.deepEqual(items.map(({ kind, who }) => [kind, who]), [["password_changed", "admin"]]);
  // Of the own change nobody has to be told.
  const own = { ...json, data: { password: userPassword }, current_password: json.data.password };
  await call("PUT", `/api/users/${user.id}`, { token: await app.tokenOf("dora"), json: own });
  const after = (await pageOf(await app.tokenOf("dora"))).items;
  assert.equal(after.filter(({ kind }) => kind === "password_changed").length, 1);
});

Deno.test("a sign-in from a kind of device that is new is told of, with its address", async () => {
  const signIn = async (agent: string, from = "192.0.2.9") => {
    const headers = { "user-agent": agent };
    const json = { username: "berta", password: userPassword };
    await (await call("POST", "/api/login", { json, headers, from })).text();
  };
  const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19 Safari/604.1";
  await signIn("curl/8.5.0");
  await signIn(phone);
  await signIn(phone.replace("19_0", "19_1"));
  const { items } = await pageOf(berta.token);
  assert.deepEqual(
    items.map(({ kind, device, address }) => [kind, device, address]).slice(0, 1),
    [["new_device", phone, "192.0.2.9"]],
  );
  assert.equal(items.filter(({ device }) => device?.includes("iPhone")).length, 1);
});

Deno.test("a topic that a user has turned off is not told of", async () => {
  const which = ["mutedNotifications"];
  const change = async (mutedNotifications: unknown) => {
    const json = { what: "user", which, data: { mutedNotifications } };
    return await app.call("PUT", `/api/users/${anna.user.id}`, { ...anna, json });
  };
  await assertRefused(await change(["security"]), 400, "invalid_body");
  await assertStatus(await change(["requests", "shares"]), 200);
  const hash = await askForFiles(app, anna.token, "/deep");
  await sendAsVisitor(app, hash, { name: "b.pdf", body: "1" });
  assert.deepEqual((await pageOf(anna.token)).items, []);
});

Deno.test("a quota of which 90 % are used is told of once", async () => {
  const { token } = await app.addUser("full", { scope: "/berta", quota: { bytes: 1_000 } });
  const put = (name: string, length: number) =>
    call("POST", `/api/resources/${name}`, { token, body: "x".repeat(length) });
  await put("a.bin", 800);
  assert.equal((await pageOf(token)).items.length, 0);
  await put("b.bin", 110);
  await put("c.bin", 20);
  const { items } = await pageOf(token);
  assert.deepEqual(items.map(({ kind, bytes }) => [kind, bytes]), [["quota_near", 1_000]]);
});

Deno.test("pages have the latest first, and a known one is not sent again", async () => {
  const { records } = app.cubby.notifications;
  const at = Date.now();
  for (let index = 0; index < 5; index++) {
    await records.add(anna.user.id, [{
      kind: "job_done",
      at: at + (index >> 1),
      name: `${index}`,
    }]);
  }
  const seen: NotificationInfo[] = [];
  for (let next: string | null = ""; next !== null;) {
    const page = await pageOf(anna.token, `?limit=2&before=${encodeURIComponent(next)}`);
    assert.equal(page.unread, 5);
    seen.push(...page.items);
    next = page.next;
  }
  assert.deepEqual(seen.map(({ name }) => name).toSorted(), ["0", "1", "2", "3", "4"]);
  assert.deepEqual(seen.map(({ time }) => time), seen.map(({ time }) => time).toSorted().reverse());
  const first = await app.call("GET", "/api/notifications", anna);
  const headers = { "if-none-match": first.headers.get("etag") ?? "" };
  await first.body?.cancel();
  await assertStatus(await app.call("GET", "/api/notifications", { ...anna, headers }), 304);
  await call("PATCH", `/api/notifications/${seen[0]?.id}`, { ...anna, json: { read: true } });
  const again = await app.call("GET", "/api/notifications", { ...anna, headers });
  assert.equal(again.status, 200);
  assert.equal((await again.json()).unread, 4);
  const until = seen[1]?.time;
  await call("PATCH", "/api/notifications", { ...anna, json: { read: true, until } });
  assert.equal((await pageOf(anna.token)).unread, 0);
  await call("DELETE", `/api/notifications/${seen[0]?.id}`, anna);
  assert.equal((await pageOf(anna.token)).items.length, 4);
  await call("DELETE", "/api/notifications", anna);
  assert.deepEqual(await pageOf(anna.token), { unread: 0, items: [], next: null });
});

Deno.test("an open folder tells of the count, to sessions alone", async () => {
  await app.cubby.notifications.records.add(anna.user.id, [{ kind: "job_done", at: Date.now() }]);
  const headers = { "x-auth": anna.token };
  const answer = await fetch(`${url}/api/watch/deep/`, { headers });
  assert.ok(answer.body);
  let text = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/event: notifications\ndata: .*\n\n/.test(text)) break;
  }
  assert.match(text, /event: notifications\ndata: \{"unread":1,"edition":\d+\}\n\n/);
});

Deno.test("a long job that ends while nobody waits for it is told of, and no other", async () => {
  const { jobs, notifications } = app.cubby;
  const { user } = anna;
  const facts = { userId: user.id, address: "192.0.2.1", action: "copy" as const };
  const run = async (to: string, change: Partial<Job>, from = "/sea.jpg") => {
    const entries = [{ path: parsePath(from).path, to: parsePath(to).path }];
    const job: Job = { ...newJob(facts, entries), state: "paused", ...change };
    await jobs.records.add(job, entries);
    await jobs.change(user.id, job.id, "running");
    // Looked at in the store, as a client that asks is one that waits.
    while (!isEnded(await jobs.records.get(user.id, job.id))) await delay(10);
    await jobs.wait(user.id, job.id, 0);
    await notifications.flush();
  };
  const long = Date.now() - 2 * longMs;
  // Times that come: a busy machine makes no long job of a short one.
  const soon = () => Date.now() + 2 * longMs;
  await run("/short.jpg", { began: soon() });
  await run("/awaited.jpg", { began: long, seen: soon() });
  await run("/by a program.jpg", { began: long, tokenId: "no token" });
  assert.deepEqual((await pageOf(anna.token)).items, []);
  await run("/copied.jpg", { began: long });
  await run("/copied.jpg", { began: long });
  assert.deepEqual(
    (await pageOf(anna.token)).items.map(({ kind, action, name, path, count, failed }) => {
      return { kind, action, name, path, count, failed };
    }),
    [
      { kind: "job_failed", action: "copy", name: "sea.jpg", path: "/", count: 1, failed: 1 },
      { kind: "job_done", action: "copy", name: "sea.jpg", path: "/", count: 1, failed: 0 },
    ],
  );
  await new Deno.Command("mkfifo", { args: [join(app.root, "anna/piped/pipe")] }).output();
  await run("/twin", { began: long }, "/piped");
  const [{ kind, failed, partial } = assert.fail("none")] = (await pageOf(anna.token)).items;
  assert.deepEqual([kind, failed, partial], ["job_failed", 1, 1]);
});

Deno.test("who waits for a long job is seen, for a short one nothing is written", async () => {
  const { jobs } = app.cubby;
  const entries = [{ path: parsePath("/sea.jpg").path, to: parsePath("/never.jpg").path }];
  for (const [age, isSeen] of [[-2 * longMs, false], [2 * longMs, true]] as const) {
    const facts = { userId: anna.user.id, address: "192.0.2.1", action: "copy" as const };
    const job: Job = { ...newJob(facts, entries), state: "paused", began: Date.now() - age };
    await jobs.records.add(job, entries);
    await (await call("GET", `/api/jobs/${job.id}`, anna)).body?.cancel();
    assert.equal((await jobs.records.get(anna.user.id, job.id)).seen !== undefined, isSeen);
    await jobs.records.remove(job);
  }
});

Deno.test("administrators are told of a webhook that is switched off", async () => {
  await app.cubby.notifications.notifyAdmins({ kind: "webhook_ended", name: "Chat" });
  await app.cubby.notifications.flush();
  const [item] = (await pageOf(admin)).items;
  assert.deepEqual([item?.kind, item?.name], ["webhook_ended", "Chat"]);
  assert.deepEqual((await pageOf(anna.token)).items, []);
});
