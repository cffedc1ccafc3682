import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { activitiesOf } from "../../support/server/audited.ts";
import { isSigned, startReceiver } from "../../support/services/receiver.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const receiver = startReceiver();
Deno.test.afterAll(async () => await receiver[Symbol.asyncDispose]());
const app = await startApp({
  config: { webhooks: { ports: [receiver.port], privateNetworks: ["127.0.0.1"], http: true } },
  tree: { "a.txt": "one", docs: { "b.txt": "two" } },
  inProcess: true,
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const { token: anna } = await app.addUser("anna", { scope: "/docs" });
const webhooks = app.cubby.webhooks;
assert.ok(webhooks);
await webhooks.deliver();

/** Nothing of a test goes on in the next, and no webhook outlasts its test. */
Deno.test.afterEach(async () => {
  await webhooks.deliver();
  for (const { hook } of await webhooks.list()) await webhooks.remove(hook.id);
});

const draft = {
  name: "All",
  url: `${receiver.url}/in?channel=a%20b`,
  events: ["signins", "writes", "reads", "shares", "requests", "users", "settings"],
  current_password: app.admin.password,
};

async function call(method: string, path: string, options = {}): Promise<Response> {
  const answer = await app.call(method, path, { token, ...options });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  await answer.clone().text();
  return answer;
}

/** What the receiver gets while `work` is done. */
async function receivedBy(work: () => Promise<unknown>) {
  await webhooks?.deliver();
  const before = receiver.received.length;
  await work();
  await webhooks?.deliver();
  return receiver.received.slice(before);
}

/** The events that the receiver is told of while `work` is done. */
const toldBy = async (work: () => Promise<unknown>) =>
  (await receivedBy(work)).map(({ event }) => event);

Deno.test("a server without webhooks says so, and how they are turned on", async () => {
  await using plain = await startApp();
  const own = await plain.tokenOf("admin");
  for (const [method, path] of [["GET", ""], ["POST", ""], ["POST", "/x/test"]] as const) {
    const json = method === "GET" ? undefined : {};
    const answer = await plain.call(method, `/api/webhooks${path}`, { token: own, json });
    await assertRefused(answer, 501, "not_supported");
  }
  const page = await plain.call("GET", "/settings/global", {
    headers: { cookie: `auth=${own}`, accept: "text/html" },
  });
  assert.ok(!(await page.text()).includes("/settings/webhooks"));
  const off = await plain.call("GET", "/settings/webhooks", {
    headers: { cookie: `auth=${own}`, accept: "text/html" },
  });
  assert.equal(off.status, 200);
  assert.match(await off.text(), /start the server with.*--webhooks/);
});

Deno.test("a webhook with a bad body is refused, and none is added", async () => {
  for (
    const change of [
      ...[{ name: "" }, { name: "x".repeat(101) }, { events: [] }, { events: ["dance"] }],
      ...[{ events: "writes" }, { url: 7 }, { url: `https://a.test/${"x".repeat(2_000)}` }],
      ...[{ enabled: "yes" }, { path: 1 }],
    ]
  ) {
    const answer = await app.call("POST", "/api/webhooks", {
      token,
      json: { ...draft, ...change },
    });
    await assertRefused(answer, 400, "invalid_body", JSON.stringify(change));
  }
  const relative = { ...draft, path: "/docs/../.." };
  const answer = await app.call("POST", "/api/webhooks", { token, json: relative });
  await assertRefused(answer, 400, "invalid_path");
  assert.deepEqual(await (await call("GET", "/api/webhooks")).json(), []);
});

Deno.test("events of every kind arrive though the activity log is off", async () => {
  const { secret } = await (await call("POST", "/api/webhooks", { json: draft })).json();
  const received = await receivedBy(async () => {
    await call("POST", "/api/resources/new.txt", { token: anna, body: "text" });
    await call("POST", "/api/resources/folder/", { token: anna });
    await call("GET", "/api/raw/new.txt", { token: anna });
    await call("DELETE", "/api/resources/new.txt?trash=true", { token: anna });
    const { hash } = await (await call("POST", "/api/share/a.txt", { json: {} })).json();
    await call("GET", `/api/public/dl/${hash}`, { token: "" });
    const wrong = { username: "anna", password: "wrong" };
    await (await app.call("POST", "/api/login", { json: wrong })).body?.cancel();
    const { branding } = await app.cubby.settings.get();
    await call("PUT", "/api/settings", { json: { branding: { ...branding, name: "Den" } } });
  });
  const types = received.map(({ event: { type, data: { user, path } } }) =>
    `${type} ${user} ${path}`
  );
  for (
    const expected of [
      ...["upload anna /docs/new.txt", "mkdir anna /docs/folder", "download anna /docs/new.txt"],
      ...["trash anna /docs/new.txt", "share_add admin /a.txt", "share_download null /a.txt"],
      ...["signin_failed anna null", "settings_change admin null"],
    ]
  ) assert.ok(types.includes(expected), `${expected} in ${types}`);
  assert.ok(received.every((each) => isSigned(secret, each)));
  assert.equal(received[0]?.path, "/in?channel=a%20b");
  assert.equal(received[0]?.method, "POST");
  assert.equal(received[0]?.headers.get("content-type"), "application/json");
  assert.deepEqual(await activitiesOf(app), [], "nothing is taken down");
});

Deno.test("a renewed secret is told once, for the password, and is in no other answer", async () => {
  const { id, secret } = await (await call("POST", "/api/webhooks", { json: draft })).json();
  const path = `/api/webhooks/${id}/secret`;
  await assertRefused(
    await app.call("POST", path, { token: anna, json: draft }),
    403,
    "forbidden",
  );
  await assertRefused(
    await app.call("POST", path, { token, json: {} }),
    403,
    "wrong_credentials",
  );
  const json = { current_password: app.admin.password };
  const renewed = await (await call("POST", path, { json })).json();
  assert.match(renewed.secret, /^whsec_/);
  assert.notEqual(renewed.secret, secret);
  const seen = [
    await (await call("GET", `/api/webhooks/${id}`)).text(),
    await (await call("GET", "/api/webhooks")).text(),
    await (await call("POST", `/api/webhooks/${id}/test`)).text(),
    ...receiver.received.map(({ body }) => body),
    app.log.lines.join("\n"),
  ];
  for (const text of seen) {
    assert.ok(!text.includes(renewed.secret) && !text.includes(secret), text.slice(0, 300));
  }
  const last = receiver.received.at(-1);
  assert.ok(last && isSigned(renewed.secret, last) && isSigned(secret, last));
});

Deno.test("files of visitors by request links are a kind of their own", async () => {
  const json = { ...draft, events: ["requests"] };
  await call("POST", "/api/webhooks", { json });
  const { hash } = await (await call("POST", "/api/request/docs", { json: {} })).json();
  const told = await toldBy(async () => {
    await call("POST", "/api/resources/docs/own.txt", { body: "text" });
    const entered = await call("POST", `/api/public/request/${hash}`, { token: "", json: {} });
    const pass = { "x-request-token": (await entered.json()).token, "tus-resumable": "1.0.0" };
    const headers = { ...pass, "upload-length": "4" };
    const begun = await call("POST", `/api/public/request/${hash}/files`, {
      token: "",
      headers: { ...headers, "upload-metadata": `filename ${btoa("sent.txt")}` },
    });
    const place = new URL(begun.headers.get("location") ?? "", "http://cubby.test").pathname;
    await call("PATCH", place, {
      token: "",
      headers: {
        ...pass,
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
      body: "text",
    });
  });
  assert.deepEqual(told.map(({ type, data: { path, request } }) => [type, path, request]), [
    ["upload", "/docs/sent.txt", hash],
  ]);
});

Deno.test("a webhook is changed, switched off and removed; a test tells what came of it", async () => {
  const { id } = await (await call("POST", "/api/webhooks", { json: draft })).json();
  const path = `/api/webhooks/${id}`;
  const json = { ...draft, name: "Few", events: ["settings"], path: "/docs", enabled: false };
  const changed = await (await call("PUT", path, { json })).json();
  assert.deepEqual([changed.name, changed.events, changed.path], ["Few", ["settings"], "/docs"]);
  assert.equal(changed.state, "off");
  assert.deepEqual(await toldBy(() => call("POST", "/api/resources/x.txt", { body: "" })), []);

  const told = await toldBy(async () => {
    const tested = await (await call("POST", `${path}/test`)).json();
    const { type, ok, status, attempt, next } = tested.deliveries[0];
    assert.deepEqual([type, ok, status, attempt, next], ["test", true, 204, 1, null]);
  });
  assert.deepEqual(told.map(({ type, data }) => [type, data.webhook]), [["test", "Few"]]);
  receiver.answer(500);
  const failed = await (await call("POST", `${path}/test`)).json();
  receiver.answer(204);
  assert.deepEqual([failed.deliveries[0].ok, failed.deliveries[0].status], [false, 500]);

  await call("DELETE", path, { json: { current_password: app.admin.password } });
  await assertStatus(await app.call("GET", path, { token }), 404);
});

Deno.test("there are at most twenty webhooks", async () => {
  const { current_password: _, ...fields } = draft;
  const events = ["writes" as const];
  for (let count = 0; count < 20; count++) {
    await webhooks.add({ ...fields, events, path: "/", enabled: true });
  }
  const answer = await app.call("POST", "/api/webhooks", { token, json: draft });
  await assertRefused(answer, 409, "exists");
});
