// With two threads, too: rights of groups that change or end.
import assert from "node:assert/strict";
import { join } from "node:path";
import { permissionsWhere } from "../../../lib/shared/schemas/choices/choices.ts";
import type { GroupInfo } from "../../../lib/shared/schemas/group.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { typeCommand } from "../../support/clients/command.ts";
import { uniqueSleep, untilSleepers } from "../../support/probes/processes.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { follow } from "../../support/clients/watching.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({
  config: { disableExec: false, webdav: true },
  tree: { "a.txt": "a", secret: { "s.txt": "secret" }, home: { "h.txt": "h" } },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();
const admin = await app.tokenOf("admin");
const proof = { current_password: app.admin.password };
const none = permissionsWhere(() => false);
let names = 0;

async function makeGroup(data: Partial<GroupInfo> = {}): Promise<GroupInfo> {
  const json = { name: `group ${++names}`, ...data, ...proof };
  const answer = await app.call("POST", "/api/groups", { token: admin, json });
  assert.equal(answer.status, 201);
  return await answer.json();
}

async function change(id: number, data: Partial<GroupInfo>): Promise<void> {
  const json = { ...data, ...proof };
  const answer = await app.call("PUT", `/api/groups/${id}`, { token: admin, json });
  await assertStatus(answer, 200);
}

/** A user who may do nothing without groups. */
async function addMember(...groups: number[]) {
  const name = `member ${++names}`;
  const { user, token } = await app.addUser(name, { perm: none, groups });
  return { id: user.id, name, token };
}

const upload = (token: string, path = `/${crypto.randomUUID()}`) =>
  app.call("POST", `/api/resources${path}`, { token, body: "x" });

Deno.test("groups are neither seen nor changed by those who are no administrators", async () => {
  const group = await makeGroup();
  const { id, token } = await addMember(group.id);
  const json = { perm: { admin: true }, name: "mine", current_password: userPassword };
  const calls = [["GET", ""], ["POST", ""], ["GET", `/${group.id}`], ["PUT", `/${group.id}`], [
    "DELETE",
    `/${group.id}`,
  ]] as const;
  for (const [method, path] of calls) {
    const body = method === "GET" ? {} : { json };
    const answer = await app.call(method, `/api/groups${path}`, { token, ...body });
    await assertRefused(answer, 403, "forbidden", method + path);
  }
  const admins = await makeGroup({ perm: { ...none, admin: true } });
  for (const which of [["groups"], ["Groups"], [], ["all"]]) {
    const data = { id, groups: [admins.id] };
    const body = { what: "user", which, data, current_password: userPassword };
    const answer = await app.call("PUT", `/api/users/${id}`, { token, json: body });
    await assertRefused(answer, 403, "forbidden", JSON.stringify(which));
  }
  await assertRefused(await app.call("GET", "/api/users", { token }), 403, "forbidden");
});

Deno.test("a visitor who signs up puts himself in no group", async () => {
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, signup: true });
  const { id } = await makeGroup({ perm: { ...none, admin: true } });
  const json = { username: "newcomer", password: userPassword, groups: [id] };
  await assertStatus(await app.call("POST", "/api/signup", { json }), 200);
  assert.deepEqual((await app.cubby.users.byName("newcomer"))?.groups, []);
});

Deno.test("a borrowed session of an administrator changes no group and no membership", async () => {
  const group = await makeGroup();
  const calls = [
    ["POST", "/api/groups", { name: "borrowed" }],
    ["PUT", `/api/groups/${group.id}`, { perm: { admin: true } }],
    ["PUT", `/api/groups/${group.id}`, { members: [1] }],
    ["DELETE", `/api/groups/${group.id}`, {}],
  ] as const;
  for (const [method, path, json] of calls) {
    const answer = await app.call(method, path, { token: admin, json });
    await assertRefused(answer, 403, "wrong_credentials", method + path);
  }
  const { id } = await addMember();
  const json = { what: "user", which: ["groups"], data: { groups: [group.id] } };
  const answer = await app.call("PUT", `/api/users/${id}`, { token: admin, json });
  await assertRefused(answer, 403, "wrong_credentials");
});

Deno.test("a group gives and takes permissions in live sessions, at the next request", async () => {
  const { id } = await makeGroup({ perm: { ...none, create: true } });
  const { token } = await addMember(id);
  const headers = { accept: "application/json", "x-auth": token };
  await using watching = follow(await fetch(`${url}/api/watch/secret/`, { headers }));
  assert.equal(await watching.next(), "ready");
  await assertStatus(await upload(token), 200);
  await change(id, { perm: { ...none, download: true } });
  await assertRefused(await upload(token), 403, "forbidden");
  assert.equal(await watching.next(), "changed", "so that open pages follow");
  await assertStatus(await app.call("GET", "/api/raw/a.txt", { token }), 200);
  await change(id, { members: [] });
  await assertRefused(await app.call("GET", "/api/raw/a.txt", { token }), 403, "forbidden");
});

Deno.test("rules of a group hold at the next request, and after its removal no more", async () => {
  const { id } = await makeGroup({ perm: { ...none, download: true }, rules: [deny("/secret")] });
  const keeper = await makeGroup({ perm: { ...none, download: true } });
  const { token } = await addMember(id, keeper.id);
  const read = () => app.call("GET", "/api/raw/secret/s.txt", { token });
  await assertRefused(await read(), 403, "forbidden");
  const listed = await (await app.call("GET", "/api/resources/", { token })).text();
  assert.ok(!listed.includes("secret"), listed);
  const json = proof;
  await assertStatus(await app.call("DELETE", `/api/groups/${id}`, { token: admin, json }), 200);
  await assertStatus(await read(), 200);
  await change(keeper.id, { rules: [deny("/secret")] });
  await assertRefused(await read(), 403, "forbidden");
});

Deno.test("an administrator by a group is none once it is gone, in the same session", async () => {
  const group = await makeGroup({ perm: { ...none, admin: true } });
  const { token } = await addMember(group.id);
  await assertStatus(await app.call("GET", "/api/users", { token }), 200);
  const gone = await app.call("DELETE", `/api/groups/${group.id}`, { token: admin, json: proof });
  await assertStatus(gone, 200);
  await assertRefused(await app.call("GET", "/api/users", { token }), 403, "forbidden");
});

Deno.test("API tokens and WebDAV passwords lose what a group loses", async () => {
  const { id } = await makeGroup({ perm: { ...none, create: true, download: true } });
  const member = await addMember(id);
  const json = { name: "t", write: true, share: false, expires: null, folder: null };
  const made = await app.call("POST", "/api/tokens", {
    token: member.token,
    json: { ...json, current_password: userPassword },
  });
  const { secret, token = secret } = await made.json();
  const basic = { authorization: `Basic ${btoa(`${member.name}:${userPassword}`)}` };
  const put = () => {
    const headers = basic;
    return app.call("PUT", `/dav/${crypto.randomUUID()}`, { headers, body: "x" });
  };
  await assertStatus(await upload(token), 200);
  await assertStatus(await put(), 201);
  await change(id, { perm: { ...none, download: true } });
  await assertRefused(await upload(token), 403, "forbidden");
  await assertStatus(await put(), 403);
});

Deno.test("a command is killed when a group takes the right to run it", async () => {
  const { id } = await makeGroup({ perm: { ...none, execute: true } });
  const member = await addMember(id);
  await app.cubby.users.update(member.id, { commands: ["sleep"] });
  const token = await app.tokenOf(member.name);
  const ticketAnswer = await app.call("POST", "/api/ticket", {
    token,
    json: { path: "/", use: "command" },
  });
  const ticket = await ticketAnswer.text();
  const sleep = uniqueSleep();
  const typed = typeCommand(`sleep ${sleep}`, { url, ticket });
  await untilSleepers(sleep, 1);
  await change(id, { perm: none });
  await untilSleepers(sleep, 0);
  assert.equal((await typed.outcome).code, 1008);
});

Deno.test("an open stream of a folder ends once a group's rule denies it", async () => {
  const { id } = await makeGroup({ perm: { ...none, download: true } });
  const { token } = await addMember(id);
  const headers = { accept: "application/json", "x-auth": token };
  const watching = follow(await fetch(`${url}/api/watch/secret/`, { headers }));
  assert.equal(await watching.next(), "ready");
  await change(id, { rules: [deny("/secret")] });
  await Deno.writeTextFile(join(app.root, "secret/new.txt"), "x");
  assert.equal(await watching.next(), "changed", "as if the folder were gone");
  assert.equal(await watching.next(), null);
});

Deno.test("a share ends with the right to share that a group gave its owner", async () => {
  const { id } = await makeGroup({ perm: { ...none, share: true, download: true } });
  const { token } = await addMember(id);
  const { hash } = await (await app.call("POST", "/api/share/a.txt", { token })).json();
  const open = () => app.call("GET", `/api/public/share/${hash}`);
  await assertStatus(await open(), 200);
  await change(id, { perm: { ...none, download: true } });
  await assertRefused(await open(), 403, "forbidden");
});

Deno.test("a group's quota holds for each member, at the next upload", async () => {
  const { id } = await makeGroup({ perm: { ...none, create: true } });
  const name = `limited ${++names}`;
  const { token } = await app.addUser(name, { perm: none, scope: "/home", groups: [id] });
  await assertStatus(await upload(token), 200);
  await change(id, { quota: { bytes: 1, files: 0 } });
  await assertRefused(await upload(token), 507, "over_quota");
});
