import assert from "node:assert/strict";
import { commandLineId } from "../../../lib/server/features/accounts/users/user.ts";
import type { InviteInfo, NewInvite } from "../../../lib/shared/schemas/invite.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { enrol } from "../../support/clients/factors.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true });
Deno.test.afterAll(app.close);
const admin = await app.tokenOf("admin");
const password = "herons at the river";

async function make(draft: object = {}): Promise<NewInvite> {
  const json = { ...draft, current_password: app.admin.password };
  const answer = await app.call("POST", "/api/invites", { token: admin, json });
  assert.equal(answer.status, 201);
  return await answer.json();
}

let address = 0;

/** Calls as a visitor, each time from another address. */
function visit(method: "POST" | "PUT", json: object): Promise<Response> {
  return app.call(method, "/api/public/invite", { json, from: `10.0.0.${++address}` });
}

function signIn(username: string, word = password): Promise<Response> {
  return app.call("POST", "/api/login", { json: { username, password: word } });
}

const dead = [404, "not_found"] as const;

Deno.test("a link is unknown, used, withdrawn or over: the answer is the same", async () => {
  const answers = [];
  answers.push(await visit("POST", { token: "unknown" }));
  const used = await make({ username: "one" });
  await assertStatus(await visit("PUT", { token: used.token, password }), 200);
  answers.push(await visit("POST", { token: used.token }));
  const withdrawn = await make();
  const end = await app.call("DELETE", `/api/invites/${withdrawn.id}`, { token: admin });
  await assertStatus(end, 200);
  answers.push(await visit("POST", { token: withdrawn.token }));
  const draft = { username: null, user: null, by: { id: commandLineId, username: "x" } };
  const over = await app.cubby.invites.create({ ...draft, hours: -1 });
  answers.push(await visit("POST", { token: over.secret }));
  const texts = await Promise.all(answers.map(async (answer) => {
    assert.equal(answer.status, 404);
    return await answer.text();
  }));
  assert.equal(new Set(texts).size, 1);
  await assertRefused(await visit("PUT", { token: used.token, password }), ...dead);
});

Deno.test("only administrators make links, and only with their password", async () => {
  const { token } = await app.addUser("curious");
  for (const [method, path] of [["GET", ""], ["POST", ""], ["DELETE", "/none"]] as const) {
    const json = method === "GET" ? undefined : {};
    const answer = await app.call(method, `/api/invites${path}`, { token, json });
    await assertRefused(answer, 403, "forbidden");
  }
  const bare = await app.call("POST", "/api/invites", { token: admin, json: {} });
  await assertRefused(bare, 403, "wrong_credentials");
});

Deno.test("a link makes one user, without special rights, whatever the defaults", async () => {
  const { settings } = app.cubby;
  const before = await settings.get();
  const perm = { ...before.defaults.perm, admin: true, execute: true };
  await settings.update({ ...before, defaults: { ...before.defaults, perm } });
  const { token } = await make();
  const answers = await Promise.all(
    ["twin a", "twin b"].map((username) => visit("PUT", { token, username, password })),
  );
  await settings.update(before);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  const made = (await app.cubby.users.list()).filter(({ username }) => username.startsWith("twin"));
  assert.deepEqual(made.map(({ perm }) => [perm.admin, perm.execute]), [[false, false]]);
});

Deno.test("a refused name or password leaves the link as it is", async () => {
  const { token } = await make();
  const tries = [
    [{ username: "admin", password }, 409, "exists"],
    [{ username: "a\nb", password }, 400, "invalid_name"],
    [{ username: "nora", password: "short" }, 400, "invalid_password"],
  ] as const;
  for (const [choice, status, code] of tries) {
    await assertRefused(await visit("PUT", { token, ...choice }), status, code);
  }
  await assertStatus(await visit("PUT", { token, username: "nora", password }), 200);
  await assertStatus(await signIn("nora"), 200);
});

Deno.test("where the link names the user, nobody chooses another name", async () => {
  const { token } = await make({ username: "olga" });
  const opened = await (await visit("POST", { token })).json();
  assert.deepEqual(opened, { kind: "invite", username: "olga" });
  await assertStatus(await visit("PUT", { token, username: "mallory", password }), 200);
  assert.equal(await app.cubby.users.byName("mallory"), null);
  await assertStatus(await signIn("olga"), 200);
});

Deno.test("a reset link sets the password once, and ends all sessions", async () => {
  const { user, token: session } = await app.addUser("paul");
  const { token } = await make({ userID: user.id });
  await assertStatus(await visit("PUT", { token, password }), 200);
  await assertStatus(await signIn("paul"), 200);
  await assertRefused(await signIn("paul", userPassword), 403, "wrong_credentials");
  const former = await app.call("GET", "/api/resources/", { token: session });
  await assertRefused(former, 401, "not_signed_in");
  await assertRefused(await visit("PUT", { token, password }), ...dead);
});

Deno.test("a password that was changed meanwhile is not changed by an older link", async () => {
  const { user } = await app.addUser("quentin");
  const { token } = await make({ userID: user.id });
  await app.cubby.users.update(user.id, { password: "another one of herons" });
  await assertRefused(await visit("PUT", { token, password }), ...dead);
  const gone = await app.addUser("rosa");
  const lost = await make({ userID: gone.user.id });
  await app.cubby.users.remove(gone.user.id);
  await assertRefused(await visit("POST", { token: lost.token }), ...dead);
});

Deno.test("a reset link does not get round the second factor", async () => {
  const { username } = await enrol(app, "sonia");
  const sonia = await app.cubby.users.byName(username);
  const { token } = await make({ userID: sonia?.id });
  await assertStatus(await visit("PUT", { token, password }), 200);
  await assertRefused(await signIn(username), 401, "second_factor_required");
});

Deno.test("no link for a password that cannot be changed by the user", async () => {
  const { user } = await app.addUser("tessa");
  await app.cubby.users.update(user.id, { lockPassword: true });
  const json = { userID: user.id, current_password: app.admin.password };
  const answer = await app.call("POST", "/api/invites", { token: admin, json });
  await assertRefused(answer, 403, "forbidden");
});

Deno.test("the list tells of no secret, and nobody reads one from the store", async () => {
  const { token, id } = await make({ username: "ursula" });
  const answer = await app.call("GET", "/api/invites", { token: admin });
  const text = await answer.text();
  const listed: InviteInfo[] = JSON.parse(text);
  assert.ok(listed.some((invite) => invite.id === id && invite.username === "ursula"));
  assert.ok(!text.includes(token));
  for (const { key, value } of await app.cubby.store.list(["invites"])) {
    assert.ok(!JSON.stringify([key, value]).includes(token));
  }
});
