import assert from "node:assert/strict";
import { startApp, userPassword } from "../../support/server/app.ts";
import { atLater } from "../../support/run/clock.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ inProcess: true, config: { trustedProxies: ["10.0.0.0/8"] } });
Deno.test.afterAll(app.close);
for (const name of ["ann", "bob", "cid", "dan", "eve"]) await app.addUser(name);

interface From {
  from: string;
  headers?: Record<string, string>;
}

function guess(
  username: string,
  from: From,
  password = "a wrong guess of mine",
): Promise<Response> {
  return app.call("POST", "/api/login", { json: { username, password }, ...from });
}

async function failTimes(times: number, username: string, from: From): Promise<void> {
  for (let time = 0; time < times; time++) {
    await assertRefused(await guess(username, from), 403, "wrong_credentials", `${time + 1}`);
  }
}

Deno.test("five failures for an account from an address close it there, for the right password too", async () => {
  const from = { from: "192.0.2.1" };
  await failTimes(5, "ann", from);
  const answer = await guess("ann", from, userPassword);
  const wait = Number(answer.headers.get("retry-after"));
  assert.ok(Number.isInteger(wait) && wait > 0 && wait <= 15 * 60);
  await assertRefused(answer, 429, "throttled");

  await assertStatus(await guess("ann", { from: "192.0.2.2" }, userPassword), 200);
  await assertStatus(await guess("bob", from, userPassword), 200);
});

Deno.test("a name that nobody has is throttled like any other", async () => {
  const from = { from: "192.0.2.3" };
  await failTimes(5, "nobody at all", from);
  await assertRefused(await guess("nobody at all", from), 429, "throttled");
});

Deno.test("twenty failures from one address close it for all accounts", async () => {
  const from = { from: "192.0.2.4" };
  for (const name of ["one", "two", "three", "four"]) await failTimes(5, name, from);
  await assertRefused(await guess("cid", from, userPassword), 429, "throttled");
});

Deno.test("a client cannot pass for another by X-Forwarded-For", async () => {
  for (let time = 0; time < 5; time++) {
    const headers = { "x-forwarded-for": `198.51.100.${time}` };
    await assertStatus(await guess("dan", { from: "192.0.2.5", headers }), 403);
  }
  const headers = { "x-forwarded-for": "198.51.100.99" };
  const answer = await guess("dan", { from: "192.0.2.5", headers }, userPassword);
  await assertRefused(answer, 429, "throttled");
});

Deno.test("behind a trusted proxy, clients are told apart, whatever they write in front", async () => {
  const through = (client: string, written: string) => ({
    from: "10.0.0.1",
    headers: { "x-forwarded-for": `${written}, ${client}` },
  });
  for (let time = 0; time < 5; time++) {
    await assertStatus(await guess("eve", through("203.0.113.7", `1.1.1.${time}`)), 403);
  }
  const closed = await guess("eve", through("203.0.113.7", "9.9.9.9"), userPassword);
  await assertRefused(closed, 429, "throttled");
  await assertStatus(await guess("eve", through("203.0.113.8", "9.9.9.9"), userPassword), 200);
});

Deno.test("a closed account opens again after the time it said", async () => {
  await app.addUser("fay");
  const from = { from: "192.0.2.6" };
  await failTimes(5, "fay", from);
  const answer = await guess("fay", from);
  const wait = Number(answer.headers.get("retry-after"));
  await assertStatus(answer, 429);
  await atLater((wait + 1) * 1000, async () => {
    await assertStatus(await guess("fay", from, userPassword), 200);
  });
});

Deno.test("a hundred guesses at once are counted like a hundred in a row", async () => {
  await app.addUser("gus");
  const from = { from: "192.0.2.7" };
  const answers = await Promise.all(Array.from({ length: 30 }, () => guess("gus", from)));
  const statuses = answers.map(({ status }) => status);
  await Promise.all(answers.map(({ body }) => body?.cancel()));
  assert.equal(statuses.filter((status) => status === 403).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 25);
});

Deno.test("sixty attempts to sign up from one address close it there for a while", async () => {
  const settings = await app.cubby.settings.get();
  await app.cubby.settings.update({ ...settings, signup: true });
  const signUp = (from: string) => {
    // Refused for its password, before that costs anything.
    const json = { username: `newcomer ${from}`, password: "short" };
    return app.call("POST", "/api/signup", { json, from });
  };
  const answers = await Promise.all(Array.from({ length: 70 }, () => signUp("192.0.2.201")));
  const statuses = await Promise.all(answers.map(async (answer) => {
    await answer.body?.cancel();
    return answer.status;
  }));
  assert.deepEqual(
    [400, 429].map((status) => statuses.filter((each) => each === status).length),
    [60, 10],
  );
  await assertRefused(await signUp("192.0.2.202"), 400, "invalid_password");
  await app.cubby.settings.update(settings);
});
