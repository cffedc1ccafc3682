import assert from "node:assert/strict";
import type { InviteInfo } from "../../../lib/shared/schemas/invite.ts";
import { activitiesOf, keepActivity } from "../../support/server/audited.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import {
  readMail as read,
  startSmtpServer,
  type TestSmtpServer,
} from "../../support/services/smtp_server.ts";

const to = "ivy@example.org";

/** An application and the server that it hands mail to. */
interface Scene extends AsyncDisposable {
  app: TestApp;
  server: TestSmtpServer;
}

async function open(): Promise<Scene> {
  const server = await startSmtpServer();
  const app = await startApp({ inProcess: true, config: { mail: server.config } });
  return {
    ...{ app, server },
    async [Symbol.asyncDispose]() {
      await app.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function invite(at: TestApp, draft: object): Promise<Response> {
  const json = { ...draft, current_password: at.admin.password };
  const token = await at.tokenOf("admin");
  return await at.call("POST", "/api/invites", { token, json });
}

async function openLinks(at: TestApp): Promise<InviteInfo[]> {
  return await (await at.call("GET", "/api/invites", { token: await at.tokenOf("admin") })).json();
}

Deno.test("an address that is none, or more than one, gets no link, and none is made", async () => {
  await using scene = await open();
  const { app, server } = scene;
  for (
    const mail of [
      "ivy",
      "ivy@example.org,eve@example.org",
      "ivy@example.org\r\nBcc: eve@example.org",
    ]
  ) {
    await assertRefused(await invite(app, { mail }), 400, "invalid_address");
  }
  assert.deepEqual([await openLinks(app), server.received], [[], []]);
});

Deno.test("a link that the mail server does not take is withdrawn", async () => {
  await using scene = await open();
  const { app, server } = scene;
  await assertRefused(await invite(app, { mail: "nobody@example.org" }), 400, "invalid_address");
  await using away = await startApp({
    inProcess: true,
    config: { mail: { ...server.config, port: 1 } },
  });
  await assertRefused(await invite(away, { mail: to }), 503, "mail_failed");
  assert.deepEqual([await openLinks(app), await openLinks(away)], [[], []]);
});

Deno.test("a server without mail makes no link that was to be sent", async () => {
  await using mute = await startApp({ inProcess: true });
  await assertRefused(await invite(mute, { mail: to }), 501, "not_supported");
  assert.deepEqual(await openLinks(mute), []);
});

Deno.test("only administrators send mail, and only with their password", async () => {
  await using scene = await open();
  const { app, server } = scene;
  const { token } = await app.addUser("curious");
  const json = { mail: to };
  await assertRefused(
    await app.call("POST", "/api/invites", { token, json }),
    403,
    "forbidden",
  );
  const admin = await app.tokenOf("admin");
  await assertRefused(
    await app.call("POST", "/api/invites", { token: admin, json }),
    403,
    "wrong_credentials",
  );
  assert.deepEqual(server.received, []);
});

Deno.test("an invitation comes by mail, and its link makes the user", async () => {
  await using scene = await open();
  const { app, server } = scene;
  const answer = await invite(app, { username: "ivy", mail: to });
  assert.equal(answer.status, 201);
  const { token } = await answer.json();
  const [mail, ...more] = server.received;
  assert.ok(mail);
  assert.deepEqual([more, mail.to], [[], [to]]);
  const { subject, text } = read(mail);
  assert.equal(subject, "Invitation to Cubby");
  const [, secret] = /^https?:\/\/\S+\/invite#(\S+)$/m.exec(text) ?? [];
  assert.equal(secret, token);
  assert.match(text, /once, until .* UTC\./);
  const json = { token: secret, password: "herons at the river" };
  await assertStatus(await app.call("PUT", "/api/public/invite", { json }), 200);
  assert.ok(await app.cubby.users.byName("ivy"));
});

Deno.test("a reset link is in the language of its user", async () => {
  await using scene = await open();
  const { app, server } = scene;
  const { user } = await app.addUser("jörg");
  await app.cubby.users.update(user.id, { locale: "de" });
  await assertStatus(await invite(app, { userID: user.id, mail: to }), 201);
  const [mail] = server.received;
  assert.ok(mail);
  const { text } = read(mail);
  assert.match(
    text,
    /^Öffnen Sie diesen Link, um ein neues Passwort für jörg bei Cubby zu wählen:\n\nhttp/,
  );
});

Deno.test("the name of the site begins no header", async () => {
  await using scene = await open();
  const { app, server } = scene;
  const before = await app.cubby.settings.get();
  const name = "Files\r\nBcc: eve@example.org";
  await app.cubby.settings.update({ ...before, branding: { ...before.branding, name } });
  await assertStatus(await invite(app, { mail: to }), 201);
  await app.cubby.settings.update(before);
  const [mail] = server.received;
  assert.deepEqual(mail?.to, [to]);
  assert.doesNotMatch(mail?.raw ?? "", /^Bcc:/m);
  assert.match(mail?.raw ?? "", /^Subject: Invitation to Files Bcc: eve@example\.org\r$/m);
});

Deno.test("neither the log nor the activity log has the secret that was sent", async () => {
  await using scene = await open();
  const { app } = scene;
  await keepActivity(app, "changes");
  const { token } = await (await invite(app, { username: "kim", mail: to })).json();
  const log = app.log.lines.join("\n");
  assert.ok(!log.includes(token));
  const [activity] = await activitiesOf(app, "action=invite_add");
  assert.equal(activity?.subject, "kim, ivy@example.org");
  assert.ok(!JSON.stringify(await activitiesOf(app)).includes(token));
});
