import assert from "node:assert/strict";
import { join } from "node:path";
import { serveThread } from "../../../lib/server/core/concurrency/thread_channel.ts";
import { delay } from "../../../lib/shared/delay.ts";
import { DomainError } from "../../../lib/shared/errors.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { loseMessages } from "../../support/run/lost_messages.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

// Two threads of a server, as they are to each other: each has an application of its own.
const folder = await temporaryFolder();
const config = { database: join(folder.path, "cubby.kv") };
const app = await startApp({ inProcess: true, config, tree: { "a.txt": "one" } });
const other = await startApp({ inProcess: true, config: app.cubby.config });
Deno.test.afterAll(async () => {
  await other.close();
  await app.close();
  await folder[Symbol.asyncDispose]();
});
const admin = await app.tokenOf("admin");

const use = (by: TestApp, token: string) => by.call("GET", "/api/raw/a.txt", { token });

/** Waits until the other thread has the session as ended. */
async function assertSoonRefused(token: string): Promise<void> {
  for (const end = Date.now() + 10_000;; await delay(20)) {
    const { status, body } = await use(other, token);
    await body?.cancel();
    if (status === 401) return;
    assert.ok(Date.now() < end, "it goes on");
  }
}

/** Sees that what has been used in both threads has ended in the other, which hears of nothing. */
async function assertEnds(token: string, end: () => Promise<Response>): Promise<void> {
  for (const thread of [app, other]) assert.equal(await (await use(thread, token)).text(), "one");
  using _lost = loseMessages();
  await assertStatus(await end(), 200);
  for (const thread of [app, other]) {
    await assertRefused(await use(thread, token), 401, "not_signed_in");
  }
}

Deno.test("who signs out has in the other thread, too, though no message comes", async () => {
  const { token } = await app.addUser("ann");
  await assertEnds(token, () => app.call("POST", "/api/logout", { token }));
});

Deno.test("a new password ends the sessions of the other thread, though no message comes", async () => {
  const { user: { id } } = await app.addUser("ben");
  const token = await other.tokenOf("ben");
  const data = { id, password: "a heron waits in the 4th pond" };
  const json = {
    ...{ what: "user", which: ["password"], data },
    current_password: app.admin.password,
  };
  await assertEnds(token, () => app.call("PUT", `/api/users/${id}`, { token: admin, json }));
});

Deno.test("who is deleted has no session in the other thread, though no message comes", async () => {
  const { user: { id }, token } = await app.addUser("cid");
  const json = { current_password: app.admin.password };
  await assertEnds(token, () => app.call("DELETE", `/api/users/${id}`, { token: admin, json }));
});

Deno.test("a revoked API token is dead in the other thread, though no message comes", async () => {
  const { token } = await app.addUser("dan");
  const json = { name: "script", current_password: userPassword };
  const made = await (await app.call("POST", "/api/tokens", { token, json })).json();
  await assertEnds(made.token, () => app.call("DELETE", `/api/tokens/${made.id}`, { token }));
});

Deno.test("a share that is removed is gone in the other thread, though no message comes", async () => {
  const { token } = await app.addUser("eve");
  const { hash } = await (await app.call("POST", "/api/share/a.txt", { token })).json();
  const visit = (by: TestApp) => by.call("GET", `/api/public/share/${hash}`);
  for (const thread of [app, other]) await assertStatus(await visit(thread), 200);
  using _lost = loseMessages();
  await assertStatus(await app.call("DELETE", `/api/share/${hash}`, { token }), 200);
  for (const thread of [app, other]) await assertRefused(await visit(thread), 404, "not_found");
});

Deno.test("who signs out while the store fails has soon in the other thread, though the message is lost", async () => {
  using _serving = serveThread();
  const { token } = await app.addUser("fay");
  for (const thread of [app, other]) assert.equal(await (await use(thread, token)).text(), "one");
  const { store } = app.cubby;
  const { atomic } = store;
  try {
    store.atomic = () => Promise.reject(new DomainError("disk_full", "Cannot write to the store"));
    using _lost = loseMessages();
    await assertRefused(await app.call("POST", "/api/logout", { token }), 507, "disk_full");
  } finally {
    store.atomic = atomic;
  }
  await assertSoonRefused(token);
});
