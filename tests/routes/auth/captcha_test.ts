import assert from "node:assert/strict";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { startVerifier, type Verifier } from "../../support/services/verifier.ts";

const verifier = startVerifier();
Deno.test.afterAll(verifier.close);
Deno.test.beforeEach(() => {
  verifier.instead = undefined;
  verifier.asked.length = 0;
});

async function guarded({ host, key, secret }: Verifier = verifier): Promise<TestApp> {
  const app = await startApp({ inProcess: true, config: { recaptcha: { host, key, secret } } });
  await app.addUser("bea");
  await app.cubby.settings.update({ ...await app.cubby.settings.get(), signup: true });
  return app;
}

let proofs = 0;
const proof = () => `human-${++proofs}`;

function logIn(app: TestApp, recaptcha?: unknown, more: { password?: string; from?: string } = {}) {
  const { password = userPassword, from } = more;
  const json = { username: "bea", password, recaptcha };
  return app.call("POST", "/api/login", { json, from });
}

function signUp(app: TestApp, username: string, recaptcha?: unknown): Promise<Response> {
  const json = { username, password: userPassword, recaptcha };
  return app.call("POST", "/api/signup", { json });
}

Deno.test("who proves nothing does not sign in, and the verifier is not even asked", async () => {
  await using app = await guarded();
  for (const nothing of [undefined, null, "", "a".repeat(8_001)]) {
    await assertRefused(await logIn(app, nothing), 403, "wrong_credentials");
  }
  for (const strange of [5, {}, ["human-1"]]) {
    await assertRefused(await logIn(app, strange), 400, "invalid_json");
  }
  assert.deepEqual(verifier.asked, []);
});

Deno.test("a wrong proof, and a right one that was used before, are wrong credentials", async () => {
  await using app = await guarded();
  const used = proof();
  await assertStatus(await logIn(app, used), 200);
  const messages = [];
  for (const wrong of ["robot", used]) {
    messages.push(await assertRefused(await logIn(app, wrong), 403, "wrong_credentials"));
  }
  const password = "badgers hold 9 hands";
  messages.push(
    await assertRefused(await logIn(app, proof(), { password }), 403, "wrong_credentials"),
  );
  assert.equal(new Set(messages).size, 1, "nobody learns which of them was wrong");
});

Deno.test("a verifier that fails, or answers strangely, lets nobody in", async () => {
  await using app = await guarded();
  const strange: (() => Response | Promise<Response>)[] = [
    () => new Response("", { status: 500 }),
    () => Response.json({ success: true }, { status: 201 }),
    () => Response.redirect(`${verifier.host}/elsewhere`),
    () => new Response("success"),
    () => Response.json(true),
    () => Response.json({ success: "true" }),
    () => Response.json({ success: 1 }),
    () => Response.json([{ success: true }]),
    () => new Response(`{"success": true, "more": "${"a".repeat(20_000)}"}`),
  ];
  for (const [index, instead] of strange.entries()) {
    verifier.instead = instead;
    const answer = await logIn(app, proof(), { from: `192.0.2.${index}` });
    await assertRefused(answer, 403, "wrong_credentials", String(instead));
  }
  await using gone = await guarded({ ...verifier, host: "http://127.0.0.1:1" });
  await assertRefused(await logIn(gone, proof()), 403, "wrong_credentials");
  assert.match(gone.log.lines.join("\n"), /Cannot verify a captcha with http:\/\/127\.0\.0\.1:1/);
});

Deno.test("proofs that fail are throttled as wrong passwords are, and are not asked about then", async () => {
  await using app = await guarded();
  for (let time = 0; time < 5; time++) {
    await assertRefused(await logIn(app, "robot"), 403, "wrong_credentials");
  }
  const answer = await logIn(app, proof());
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
  await assertRefused(answer, 429, "throttled");
  assert.equal(verifier.asked.length, 5);
  await assertStatus(await logIn(app, proof(), { from: "192.0.2.1" }), 200);
});

Deno.test("nobody signs up without a proof, and failures count for the name and the address", async () => {
  await using app = await guarded();
  await assertRefused(await signUp(app, "carl", 5), 400, "invalid_json");
  for (const nothing of [undefined, "", "robot", "robot", "robot"]) {
    await assertRefused(await signUp(app, "bea", nothing), 403, "wrong_credentials");
  }
  await assertRefused(await signUp(app, "bea", proof()), 429, "throttled");
  await assertStatus(await logIn(app, proof()), 200, "who has the name still gets in");
  await assertRefused(await signUp(app, "carl", "robot"), 403, "wrong_credentials");
  assert.equal(await app.cubby.users.byName("carl"), null);

  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, signup: false });
  verifier.asked.length = 0;
  await assertRefused(await signUp(app, "carl", proof()), 403, "forbidden");
  assert.deepEqual(verifier.asked, [], "no proof is used up in vain");
});

Deno.test("with a proof one signs in, or up; the verifier hears the secret and the proof alone", async () => {
  await using app = await guarded();
  const first = proof();
  await assertStatus(await logIn(app, first), 200);
  assert.deepEqual(verifier.asked, [{ secret: verifier.secret, response: first }]);

  const token = await (await signUp(app, "carl", proof())).text();
  const sessions = await app.call("GET", "/api/sessions", { token });
  assert.equal((await sessions.json()).length, 1, "one proof is enough for a newcomer");
});

Deno.test("pages are told the host and the key, never the secret", async () => {
  await using app = await guarded();
  const page = await (await app.call("GET", "/login")).text();
  assert.match(
    page,
    /"ReCaptcha":true,"ReCaptchaHost":"http:[^"]*","ReCaptchaKey":"a key for all"/,
  );
  assert.ok(!page.includes(verifier.secret));
  await using open = await startApp();
  assert.match(await (await open.call("GET", "/login")).text(), /"ReCaptcha":false/);
});

Deno.test("the sign-in page alone may load the widget, from its host alone", async () => {
  await using app = await guarded();
  const policyOf = async (path: string, token?: string) => {
    const answer = await app.call("GET", path, { token });
    await answer.body?.cancel();
    return answer.headers.get("content-security-policy") ?? "";
  };
  const policy = await policyOf("/login");
  const [, scripts = ""] = /script-src ([^;]*)/.exec(policy) ?? [];
  assert.match(scripts, new RegExp(`^'self'( 'nonce-[^']+')? ${verifier.host}/recaptcha/$`));
  assert.match(policy, new RegExp(`; frame-src ${verifier.host}/recaptcha/(;|$)`));
  assert.match(policy, new RegExp(`; connect-src 'self' ${verifier.host}/recaptcha/(;|$)`));
  const token = await app.tokenOf("bea");
  for (const path of ["/files/", "/settings/profile", "/share/none", "/404"]) {
    assert.doesNotMatch(await policyOf(path, token), /recaptcha|frame-src|unsafe/, path);
  }
  await using open = await startApp();
  const plain = (await open.call("GET", "/login")).headers.get("content-security-policy");
  assert.doesNotMatch(plain ?? "", /recaptcha|frame-src|unsafe/);
});
