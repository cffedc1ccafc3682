// What holds for every call by its declaration: who may not make it, which bodies it refuses, and
// its methods. What a call does is tested in its own file.
import assert from "node:assert/strict";
import { parsePath } from "../../../lib/shared/path.ts";
import { findCalls } from "../../../lib/server/http/find_calls.ts";
import type { ApiDocument } from "../../../lib/server/http/openapi/types.ts";
import { type CallOptions, startApp, type TestApp } from "../../support/server/app.ts";
import { Conformance, readAnswer } from "../../support/server/conformance.ts";
import { type Asker, genericRefusals, lenientCalls } from "../documented/generic_refusals.ts";

const app = await startApp({
  config: { metricsToken: "0123456789abcdef" },
  tree: { "a.txt": "one", docs: {} },
});
const open = await startApp({ config: { authMethod: "noauth" } });
const enrolling = await startApp();
for (const each of [app, open, enrolling]) Deno.test.afterAll(each.close);

const calls = await findCalls(new URL("../../../routes/", import.meta.url));
const document: ApiDocument = await (await app.call("GET", "/api/openapi.json")).json();
const conformance = new Conformance(document);
const share = await app.cubby.shares.create(
  { userId: 1, path: parsePath("/a.txt").path, place: parsePath("/a.txt").path },
  { password: "", seconds: 0 },
);
const token = await app.tokenOf("admin");
/** Addresses from which a few wrong API tokens come each: many are refused. */
const addresses = Array.from({ length: 256 }, (_, number) => `192.0.2.${number}`).values();
const askers = await openAskers();

/** All who ask, each with an application that answers. */
async function openAskers(): Promise<Record<Asker, CallOptions & { of?: TestApp }>> {
  const user = await app.addUser("user");
  const ended = await app.tokenOf("user");
  await (await app.call("POST", "/api/logout", { token: ended })).body?.cancel();
  const { apiTokens } = app.cubby;
  const made = async (rights: { write: boolean; share: boolean }, folder?: string) => {
    const place = folder === undefined ? null : parsePath(folder).path;
    const draft = { name: "program", expires: null, ...rights };
    return await apiTokens.create(user.user.id, draft, place);
  };
  const all = { write: true, share: true };
  const revoked = await made(all);
  await apiTokens.remove(revoked.token);
  const guess = { token: revoked.secret, from: "198.51.100.1" };
  for (let time = 0; time < 40; time++) {
    await (await app.call("GET", "/api/usage/", guess)).body?.cancel();
  }
  const settings = await enrolling.cubby.settings.get();
  await enrolling.cubby.settings.update({ ...settings, requireSecondFactor: "everybody" });
  return {
    nobody: {},
    administrator: { token },
    user: { token: user.token },
    ended: { token: ended },
    elsewhere: { token: await open.tokenOf("admin") },
    revoked: { token: revoked.secret },
    guesser: guess,
    program: { token: (await made(all)).secret },
    reader: { token: (await made({ ...all, write: false })).secret },
    writer: { token: (await made({ ...all, share: false })).secret },
    bound: { token: (await made(all, "/docs")).secret },
    enrolling: { token: await enrolling.tokenOf("admin"), of: enrolling },
    foreignHost: { origin: "http://evil.test", of: open },
  };
}

/** An address that fits a template, and where something is. */
function exampleOf(template: string): string {
  if (template.includes("/public/")) return template.replace(/\{(?:path|hash)\}/, share.hash);
  const entry = /\/(?:command|watch)\//.test(template) ? "" : "a.txt";
  return template.replace("{path}", entry).replace("{sid}", "none").replace("{id}", "1")
    .replace("{size}", "thumb") + (template.includes("/search/") ? "?query=a" : "");
}

for (const { found, what, by, body, gives, says } of genericRefusals(calls)) {
  const { method, path, call: { id } } = found;
  Deno.test(`${id} refuses ${what}: ${gives}`, async () => {
    const { of = app, ...options } = askers[by];
    const from = by === "revoked" ? addresses.next().value : options.from;
    const asked = { ...options, from, body: body?.() };
    const answer = await readAnswer(await of.call(method, exampleOf(path), asked));
    assert.equal(conformance.check(id, answer), gives, answer.body);
    if (says) assert.ok(answer.body.includes(says), answer.body);
    if (method !== "GET") return;
    const head = await of.call("HEAD", exampleOf(path), asked);
    assert.equal(`${head.status} ${await head.text()}`, `${answer.status} `, "HEAD");
  });
}

Deno.test("unknown members are ignored in the calls that are meant to, alone", async () => {
  const lenient: string[] = [];
  for (const { method, path, call } of calls) {
    if (!call.body || !("schema" in call.body)) continue;
    const asker = call.who === "anyone" ? {} : { token };
    const json = { "not there": 1 };
    const answer = await app.call(method, exampleOf(path), { ...asker, json });
    if (!(await answer.text()).includes("not there")) lenient.push(call.id);
  }
  assert.deepEqual(lenient.sort(), lenientCalls);
});

/** By all but GET its address is an entry: `tests/routes/files/recursive_test.ts`. */
const ambiguous = "/api/resources/recursive/{path}";
const methodsByPath = Map.groupBy(
  calls.filter(({ path }) => path !== ambiguous),
  ({ path }) => path,
);

for (const [template, found] of methodsByPath) {
  const path = exampleOf(template);
  const declared = found.map(({ method }): string => method);
  const methods = declared.includes("GET") ? [...declared, "HEAD"] : declared;
  const allow = [...methods, "OPTIONS"].sort().join(", ");
  const isOpen = found.every(({ call: { who } }) => who === "anyone" || who === "scraper");

  Deno.test(`${template} answers OPTIONS with its methods, and grants nothing to other sites`, async () => {
    const headers = { origin: "http://evil.test", "access-control-request-method": "GET" };
    const answer = await app.call("OPTIONS", path, { headers });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get("allow"), allow);
    assert.ok(![...answer.headers.keys()].some((name) => name.startsWith("access-control-")));
    assert.equal(answer.body, null);
  });

  Deno.test(`${template} refuses any other method with those that it has`, async () => {
    const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]
      .filter((method) => !methods.includes(method));
    for (const method of others) {
      const answer = await app.call(method, path, { token });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.get("allow"), allow, method);
      await answer.body?.cancel();
      if (isOpen || method === "PROPFIND") continue;
      const stranger = await app.call(method, path);
      assert.equal(stranger.status, 401, `${method} without a session`);
      await stranger.body?.cancel();
    }
  });

  if (!declared.includes("GET")) continue;
  Deno.test(`${template} answers HEAD as GET, without a body`, async () => {
    const got = await app.call("GET", path, { token });
    await got.body?.cancel();
    const head = await app.call("HEAD", path, { token });
    assert.equal(await head.text(), "");
    assert.equal(head.status, got.status);
    assert.deepEqual([...head.headers], [...got.headers]);
  });
}
