/** The clock was wrong for a while: what was written then must not hurt once it is set right. */
import assert from "node:assert/strict";
import { startApp, userPassword } from "../support/server/app.ts";
import { atLater } from "../support/run/clock.ts";
import { assertRefused, assertStatus } from "../support/server/refused.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const app = await startApp({ inProcess: true, tree: { "a.txt": "one" } });
Deno.test.afterAll(app.close);
await app.addUser("ann");

function guess(password: string, from: string): Promise<Response> {
  return app.call("POST", "/api/login", { json: { username: "ann", password }, from });
}

async function close(from: string): Promise<void> {
  for (let time = 0; time < 5; time++) {
    await assertRefused(await guess("a wrong guess of mine", from), 403, "wrong_credentials");
  }
  for (let time = 0; time < 20; time++) {
    await assertRefused(await guess(userPassword, from), 429, "throttled");
  }
}

async function open(ms: number): Promise<string> {
  let token = "";
  await atLater(ms, async () => void (token = await app.tokenOf("ann")));
  return token;
}

Deno.test("guesses while the clock was ahead lock no account once it is set right", async () => {
  for (const [ahead, from] of [[day, "192.0.2.1"], [20 * minute, "192.0.2.2"]] as const) {
    await atLater(ahead, () => close(from));
    await assertStatus(await guess(userPassword, from), 200, `${ahead}`);
    // And the throttle works as before.
    await close(from);
    await atLater(31 * minute, async () => {
      await assertStatus(await guess(userPassword, from), 200, `${ahead}`);
    });
  }
});

Deno.test("a session from a clock that was ahead ends its lifetime after the clock is right", async () => {
  const token = await open(day);
  const list = (await (await app.call("GET", "/api/sessions", { token })).json()) as {
    current: boolean;
    created: string;
    lastSeen: string;
  }[];
  const own = list.find(({ current }) => current);
  assert.ok(own && Date.parse(own.created) <= Date.now() && Date.parse(own.lastSeen) <= Date.now());

  await atLater(90 * minute, async () => {
    const answer = await app.call("GET", "/api/resources/", { token });
    assert.equal(answer.headers.get("x-renew-token"), "true");
    await assertStatus(answer, 200);
  });
  await atLater(3 * hour, async () => {
    await assertRefused(await app.call("GET", "/api/sessions", { token }), 401, "not_signed_in");
  });
});

Deno.test("a session that is open while the clock is set back by minutes goes on", async () => {
  const token = await open(5 * minute);
  await assertStatus(await app.call("GET", "/api/resources/", { token }), 200);
});

Deno.test("a ticket and a visitor's token from a clock that was ahead open nothing", async () => {
  const token = await app.tokenOf("ann");
  const json = { path: "/a.txt", use: "raw" };
  const share = await app.call("POST", "/api/share/a.txt", {
    token,
    json: { password: "seven grey geese" },
  });
  const { hash } = await share.json() as { hash: string };
  const headers = { "x-share-password": "seven%20grey%20geese" };
  let ticket = "";
  let visit = "";
  await atLater(hour, async () => {
    ticket = await (await app.call("POST", "/api/ticket", { token, json })).text();
    const visited = await app.call("GET", `/api/public/share/${hash}`, { headers });
    visit = (await visited.json() as { token: string }).token;
    await assertStatus(await app.call("GET", `/api/raw/a.txt?auth=${ticket}`), 200);
    await assertStatus(await app.call("GET", `/api/public/dl/${hash}?token=${visit}`), 200);
  });
  await assertStatus(await app.call("GET", `/api/raw/a.txt?auth=${ticket}`), 401);
  await assertStatus(await app.call("GET", `/api/public/dl/${hash}?token=${visit}`), 401);
});
