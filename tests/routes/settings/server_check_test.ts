import assert from "node:assert/strict";
import type { CheckResult, ServerCheck } from "../../../lib/shared/schemas/server_check.ts";
import { backupMark } from "../../../lib/server/core/kv/server_records.ts";
import { type CallOptions, startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true, config: { trustedProxies: ["10.0.0.0/8"] } });
Deno.test.afterAll(app.close);

const mebibyte = 2 ** 20;

async function check(options: CallOptions = {}): Promise<ServerCheck> {
  const token = await app.tokenOf("admin");
  const answer = await app.call("GET", "/api/check", { token, ...options });
  assert.equal(answer.status, 200);
  return await answer.json();
}

/** What was found about a subject: `advice: none`. */
async function found(id: CheckResult["id"], options?: CallOptions): Promise<string> {
  const result = (await check(options)).checks.find((each) => each.id === id);
  return `${result?.state}: ${result?.finding}`;
}

/** A body of zeros, made while it is read. */
function zeros(chunks: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = chunks;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(mebibyte));
      else controller.close();
    },
  });
}

Deno.test("the server check is refused to all but administrators", async () => {
  const { token } = await app.addUser("carla");
  for (const method of ["GET", "POST"]) {
    await assertRefused(await app.call(method, "/api/check"), 401, "not_signed_in");
    await assertRefused(await app.call(method, "/api/check", { token }), 403, "forbidden");
  }
  const cookie = `auth=${token}`;
  const page = await app.call("GET", "/settings/check", { headers: { cookie } });
  await assertStatus(page, 302);
  assert.equal(page.headers.get("location"), "/403");
});

Deno.test("a probe larger than the largest is refused, and one of a chunk arrives", async () => {
  const token = await app.tokenOf("admin");
  const tooMuch = await app.call("POST", "/api/check", { token, body: zeros(65) });
  await assertRefused(tooMuch, 413, "body_too_large");
  await assertStatus(await app.call("POST", "/api/check", { token, body: zeros(10) }), 200);
});

Deno.test("the check tells plain http from that of this machine, and from https", async () => {
  assert.equal(await found("address"), "problem: plainHttp");
  const local = { origin: "http://localhost:8080" };
  assert.equal(await found("address", local), "advice: localHttp");
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "files.example" };
  const { checks } = await check({ from: "10.0.0.7", headers });
  const [address] = checks;
  assert.deepEqual(address, {
    id: "address",
    state: "good",
    finding: "https",
    values: { address: "https://files.example" },
  });
});

Deno.test("the check finds a proxy that is not trusted, or does not name the scheme", async () => {
  assert.equal(await found("proxy"), "good: direct");
  const named = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
  const unnamed = { "x-forwarded-for": "203.0.113.7" };
  const stranger = { from: "192.0.2.1", headers: named };
  assert.equal(await found("proxy", stranger), "problem: untrusted");
  assert.equal(await found("address", stranger), "problem: plainHttp");
  assert.equal(await found("proxy", { from: "10.0.0.7", headers: unnamed }), "advice: noScheme");
  assert.equal(await found("proxy", { from: "10.0.0.7", headers: named }), "good: trusted");
});

Deno.test("the check follows the settings of sign-up and of the activity log", async () => {
  const settings = await app.cubby.settings.get();
  const { audit } = settings;
  await app.cubby.settings.update({
    ...settings,
    signup: false,
    audit: { ...audit, level: "off" },
  });
  assert.equal(await found("signup"), "good: closed");
  assert.equal(await found("activity"), "advice: unrecorded");
  const level = "changes" as const;
  await app.cubby.settings.update({ ...settings, signup: true, audit: { ...audit, level } });
  assert.equal(await found("signup"), "advice: open");
  assert.equal(await found("activity"), "good: recorded");
  await app.cubby.settings.update(settings);
});

Deno.test("the check tells the age of the last backup", async () => {
  assert.equal(await found("backup"), "advice: none");
  const day = 24 * 3_600_000;
  await backupMark.set(app.cubby.store, [], { at: Date.now() - 9 * day });
  assert.equal(await found("backup"), "advice: old");
  await backupMark.set(app.cubby.store, [], { at: Date.now() - day });
  assert.equal(await found("backup"), "good: recent");
});

Deno.test("the check tells the free space of the served folder, and where the store is", async () => {
  const { checks } = await check();
  const disk = checks.find(({ id }) => id === "disk");
  const { free, total } = disk?.values ?? {};
  assert.ok(Number(free) > 0 && Number(free) <= Number(total), JSON.stringify(disk));
  assert.equal(await found("store"), "problem: memory");
});

Deno.test("a server without sign-in is a problem, and programs that are off an advice", async () => {
  await using open = await startApp({
    inProcess: true,
    config: { authMethod: "noauth", disableMediaPrograms: true },
  });
  const answer = await open.call("GET", "/api/check", { origin: "http://127.0.0.1" });
  const { checks }: ServerCheck = await answer.json();
  const findings = checks.map(({ state, finding }) => `${state}: ${finding}`);
  assert.ok(findings.includes("problem: noauth"), findings.join());
  assert.ok(findings.includes("advice: turnedOff"), findings.join());
});
