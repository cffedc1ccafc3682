// With two threads, too: rights that end while a command runs.
import assert from "node:assert/strict";
import { join } from "node:path";
import { untilLogged } from "../../support/server/logged.ts";
import { startApp } from "../../support/server/app.ts";
import { runCommand, typeCommand } from "../../support/clients/command.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { uniqueSleep, untilSleepers } from "../../support/probes/processes.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({
  config: { disableExec: false },
  tree: { "a.txt": "", hidden: {}, folder: {}, ".secret": {} },
});
const open = await startApp({ config: { disableExec: false, authMethod: "noauth" } });
Deno.test.afterAll(app.close);
Deno.test.afterAll(open.close);
const rules = [deny("/hidden")];
const rights = { perm: { execute: true }, commands: ["ls", "sleep", "echo"] };
const anna = await app.addUser("anna", { ...rights, rules, hideDotfiles: true });
const { url } = app.listen();

const upgrade = { upgrade: "websocket", connection: "upgrade" };
const ask = (path: string, headers: Record<string, string> = {}) =>
  app.call("GET", `/api/command${path}`, { headers: { ...upgrade, ...headers } });

async function ticketFor(path: string, use = "command"): Promise<string> {
  const answer = await app.call("POST", "/api/ticket", { token: anna.token, json: { path, use } });
  return await answer.text();
}

Deno.test("another site's page cannot run commands with a visitor's cookie (hijacked WebSocket)", async () => {
  const cookie = `auth=${anna.token}`;
  const foreign: Record<string, string>[] = [
    { origin: "http://evil.test" },
    { origin: "http://cubby.test.evil.test" },
    { origin: "http://cubby.test:8081" },
    { origin: "null" },
    { origin: "", "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://cubby.test", "sec-fetch-site": "cross-site" },
  ];
  for (const headers of foreign) {
    await assertRefused(await ask("/", { ...headers, cookie }), 403, "forbidden");
    const ticket = await ticketFor("/");
    await assertRefused(await ask(`/?auth=${ticket}`, headers), 403, "forbidden");
  }
});

Deno.test("without sign-in, another site's page cannot run commands either", async () => {
  const headers = { ...upgrade, origin: "http://evil.test" };
  const origin = "http://127.0.0.1:8080";
  const answer = await open.call("GET", "/api/command/", { headers, origin });
  await assertRefused(answer, 403, "forbidden");
});

Deno.test("a ticket runs commands in its own folder alone, and for its own use alone", async () => {
  const tickets = [await ticketFor("/folder"), await ticketFor("/", "raw"), "x", anna.token];
  for (const ticket of tickets) {
    await assertRefused(await ask(`/?auth=${ticket}`), 401, "not_signed_in");
  }
  const raw = await app.call("GET", `/api/raw/a.txt?auth=${await ticketFor("/a.txt")}`);
  await assertRefused(raw, 401, "not_signed_in");
});

Deno.test("a session that has ended opens no socket", async () => {
  const token = await app.tokenOf("anna");
  const ticket = await ticketFor("/");
  await app.call("POST", "/api/logout", { token });
  await assertRefused(await ask("/", { "x-auth": token }), 401, "not_signed_in");
  assert.equal((await runCommand("echo a", { url, ticket })).reason, "0");
});

Deno.test("a folder that rules or dots hide is out of reach for commands as well", async () => {
  const headers = { "x-auth": anna.token };
  for (const path of ["/hidden", "/hidden/gone", "/.secret"]) {
    await assertRefused(await ask(path, headers), 403, "forbidden", path);
  }
});

Deno.test("commands work in one writable root, never among several or in a read-only one", async () => {
  for (const name of ["rw", "rw/kept", "ro"]) {
    await Deno.mkdir(join(app.root, "roots", name), { recursive: true });
  }
  const root = (name: string, path: string, readOnly: boolean) => ({ name, path, readOnly });
  const [free, kept] = [root("Free", "/roots/rw", false), root("Kept", "/roots/rw/kept", true)];
  const read = root("Read", "/roots/ro", true);
  const { token } = await app.addUser("rooted", { ...rights, roots: [free, read] });
  const nested = await app.addUser("nested", { ...rights, roots: [free, kept] });
  for (const path of ["/", "/Read"]) {
    await assertRefused(await ask(path, { "x-auth": token }), 403, "forbidden", path);
  }
  for (const path of ["/", "/Free", "/Kept"]) {
    await assertRefused(await ask(path, { "x-auth": nested.token }), 403, "forbidden", path);
  }
  const { lines } = await runCommand("echo here", { url, token, path: "/Free" });
  assert.deepEqual(lines, ["here"]);
});

Deno.test("the administrator's rights do not stand in for the list of commands", async () => {
  const token = await app.tokenOf("admin");
  const { lines, code } = await runCommand("ls", { url, token });
  assert.deepEqual([lines, code], [['Cannot run "ls": it is not among your commands'], 1008]);
});

for (
  const [how, end] of Object.entries({
    "the session is ended by its owner": (token: string) =>
      app.call("POST", "/api/logout", { token }),
    "the user's commands change": () =>
      app.cubby.users.update(ben.user.id, { commands: ["sleep"] }),
    "the user is deleted": () => app.cubby.users.remove(ben.user.id),
  })
) {
  Deno.test(`a command is killed when ${how}`, async () => {
    const token = await app.tokenOf("ben");
    const seconds = uniqueSleep();
    const running = typeCommand(`sleep ${seconds}`, { url, token });
    await untilSleepers(seconds, 1);
    await end(token);
    assert.deepEqual(await running.outcome, { lines: [], code: 1008, reason: "session ended" });
    await untilSleepers(seconds, 0);
    await untilLogged(app, new RegExp(`sleep ${RegExp.escape(seconds)}.*session is gone$`));
  });
}
const ben = await app.addUser("ben", rights);

Deno.test("a command is killed, with all it has started, when the client hangs up", async () => {
  const seconds = uniqueSleep();
  const running = typeCommand(`sleep ${seconds}`, { url, token: anna.token });
  await untilSleepers(seconds, 1);
  await running.hangUp();
  await untilSleepers(seconds, 0);
});
