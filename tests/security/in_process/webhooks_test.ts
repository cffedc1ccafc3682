import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { keepActivity } from "../../support/server/audited.ts";
import { startReceiver } from "../../support/services/receiver.ts";
import { assertRefused } from "../../support/server/refused.ts";

const receiver = startReceiver();
Deno.test.afterAll(async () => await receiver[Symbol.asyncDispose]());
const app = await startApp({
  inProcess: true,
  config: { webhooks: { ports: [receiver.port], privateNetworks: ["127.0.0.1"], http: true } },
  tree: { "a.txt": "one" },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const { token: anna } = await app.addUser("anna");

await app.cubby.webhooks?.deliver();

/** Nothing of a test goes on in the next. */
Deno.test.afterEach(() => app.cubby.webhooks?.deliver());

const draft = () => ({
  name: "Chat",
  url: `${receiver.url}/hooks/very-secret-path`,
  events: ["writes", "signins"],
  current_password: app.admin.password,
});

async function added() {
  const answer = await app.call("POST", "/api/webhooks", { token, json: draft() });
  assert.equal(answer.status, 201);
  return await answer.json();
}

Deno.test("names with line breaks are no headers and no lines of the body", async () => {
  const hook = await added();
  const name = "a\r\nwebhook-id: forged\r\n\r\n{}";
  const before = receiver.received.length;
  const path = `/api/resources/${encodeURIComponent(name)}`;
  const answer = await app.call("POST", path, { token, body: "text" });
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
  const got = (await receiver.next(before + 1)).find(({ event }) =>
    event.data?.path === `/${name}`
  );
  assert.match(got?.headers.get("webhook-id") ?? "", /^msg_[0-9a-f]{32}$/);
  assert.equal(got?.body.split("\n").length, 1);
  for (const bad of ["a\nb", "a\u0000b", "\u001b[2J"]) {
    const json = { ...draft(), name: bad };
    const refused = await app.call("POST", "/api/webhooks", { token, json });
    await assertRefused(refused, 400, "invalid_body");
  }
  await app.cubby.webhooks?.remove(hook.id);
});

Deno.test("users who are no administrators neither see nor change webhooks", async () => {
  const { id } = await added();
  const json = draft();
  for (const other of [anna, ""]) {
    for (
      const [method, path] of [
        ...[["GET", ""], ["POST", ""], ["GET", `/${id}`], ["PUT", `/${id}`], ["DELETE", `/${id}`]],
        ["POST", `/${id}/test`],
      ] as const
    ) {
      const sent = method === "GET" ? {} : { json };
      const answer = await app.call(method ?? "", `/api/webhooks${path}`, {
        token: other,
        ...sent,
      });
      if (other === "") await assertRefused(answer, 401, "not_signed_in");
      else await assertRefused(answer, 403, "forbidden");
    }
  }
  await app.cubby.webhooks?.remove(id);
});

Deno.test("a borrowed session cannot have events sent elsewhere: the password is asked for", async () => {
  const { id } = await added();
  const { current_password: _, ...json } = draft();
  for (const [method, path] of [["POST", ""], ["PUT", `/${id}`], ["DELETE", `/${id}`]] as const) {
    const body = method === "DELETE" ? {} : json;
    const answer = await app.call(method, `/api/webhooks${path}`, { token, json: body });
    await assertRefused(answer, 403, "wrong_credentials");
  }
  await app.cubby.webhooks?.remove(id);
});

Deno.test("the secret is in the first answer alone: in no other, no log and no record", async () => {
  await keepActivity(app, "changes");
  const { id, secret } = await added();
  const texts: string[] = [];
  for (
    const [method, path] of [
      ...[["GET", ""], ["GET", `/${id}`], ["PUT", `/${id}`], ["POST", `/${id}/test`]],
      ["DELETE", `/${id}`],
    ] as const
  ) {
    const { current_password, ...fields } = draft();
    const json = { current_password, ...method === "DELETE" ? {} : fields };
    const sent = method === "GET" ? {} : { json };
    const answer = await app.call(method ?? "", `/api/webhooks${path}`, { token, ...sent });
    assert.equal(answer.status, 200, `${method} ${path}`);
    texts.push(await answer.text());
  }
  const page = await app.call("GET", "/settings/webhooks", { token });
  texts.push(await page.text());
  const records = await app.call("GET", "/api/audit", { token });
  const activities = await records.text();
  assert.match(activities, /webhook_add/);
  assert.ok(!activities.includes("very-secret-path"), "the URL may be a secret as well");
  texts.push(activities, app.log.lines.join("\n"), JSON.stringify(app.log.requests));
  texts.push(...receiver.received.map(({ body, headers }) => body + JSON.stringify([...headers])));
  for (const text of texts) assert.ok(!text.includes(secret.slice(6)), text);
});

Deno.test("an administrator cannot point a webhook at what the operator does not allow", async () => {
  for (
    const url of [
      ...["https://169.254.169.254/", `http://127.0.0.3:${receiver.port}/`, "http://127.0.0.1:22/"],
      `http://[::1]:${receiver.port}/`,
    ]
  ) {
    const json = { ...draft(), url };
    const answer = await app.call("POST", "/api/webhooks", { token, json });
    await assertRefused(answer, 400, "invalid_option");
  }
});
