import assert from "node:assert/strict";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { readMail, startSmtpServer } from "../../support/services/smtp_server.ts";
import { askForFiles, sendAsVisitor } from "../../support/clients/visiting.ts";

const mail = "anna@example.org";

/** An application that sends mail, and a user with an address who has not asked for any. */
async function open() {
  const server = await startSmtpServer();
  const app = await startApp({
    inProcess: true,
    config: { mail: server.config },
    tree: { anna: { Invoices: {}, "plan.txt": "the content" }, berta: {} },
  });
  const anna = await app.addUser("anna", { scope: "/anna" });
  await app.cubby.users.update(anna.user.id, { mail });
  return {
    ...{ app, server, anna },
    turnOn: () => put(app, anna.user.id, anna.token, { mailNotifications: true }),
    /** What comes by mail in the next minutes. */
    async mails() {
      await app.cubby.notifications.flush();
      await app.later(30_000, async () => await app.cubby.digests?.sendDue());
      return server.received.splice(0).map((each) => ({ to: each.to, ...readMail(each) }));
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function put(app: TestApp, id: number, token: string, data: object): Promise<Response> {
  const json = { what: "user", which: Object.keys(data), data };
  return app.call("PUT", `/api/users/${id}`, { token, json });
}

Deno.test("users turn mail on and off themselves, and administrators say where it goes", async () => {
  await using own = await open();
  const { app, anna: { user, token } } = own;
  await assertRefused(await put(app, user.id, token, { mail: "x@example.org" }), 403, "forbidden");
  await assertRefused(
    await put(app, user.id, token, { mailNotifications: "yes" }),
    400,
    "invalid_body",
  );
  const admin = await app.tokenOf("admin");
  for (const address of ["anna", "a@example.org,b@example.org", "a@example.org\r\nBcc: b@c.org"]) {
    const answer = await put(app, user.id, admin, { mail: address });
    await assertRefused(answer, 400, "invalid_body", address);
  }
  assert.equal((await app.cubby.users.get(user.id)).mailNotifications, false);
  await assertStatus(await own.turnOn(), 200);
  await assertStatus(await put(app, user.id, admin, { mail: "new@example.org" }), 200);
  const info = await (await app.call("GET", `/api/users/${user.id}`, { token })).json();
  assert.deepEqual([info.mail, info.mailNotifications], ["new@example.org", true]);
});

Deno.test("notifications are not mailed unasked", async () => {
  await using own = await open();
  const hash = await askForFiles(own.app, own.anna.token, "/Invoices");
  await sendAsVisitor(own.app, hash, { sender: "Eve", name: "a.txt", body: "a" });
  assert.deepEqual(await own.mails(), []);
});

Deno.test("what has come is one mail, without contents, links and words of strangers", async () => {
  await using own = await open();
  const { app, anna } = own;
  await assertStatus(await own.turnOn(), 200);
  const berta = await app.addUser("berta", { scope: "/berta" });
  const hash = await askForFiles(app, anna.token, "/Invoices");
  const sender = "Your bank: https://evil.example";
  for (const name of ["a.txt", "b.txt"]) {
    await sendAsVisitor(app, hash, { sender, name, body: "the content" });
  }
  await Deno.writeTextFile(`${app.root}/berta/Trip.txt`, "secret content");
  const json = { audience: ["anna"], password: "open sesame please" };
  const shared = await app.call("POST", "/api/share/Trip.txt", { token: berta.token, json });
  const share = await shared.json();
  const [news, ...more] = await own.mails();
  assert.ok(news);
  assert.deepEqual([news.to, news.subject, more], [[mail], "New notifications from Cubby", []]);
  assert.match(news.text, /^- berta shared something password-protected with you$/m);
  assert.match(news.text, /^- New in Invoices: 2 files$/m);
  assert.match(news.text, /You get this email because you chose it in your profile on Cubby\./);
  for (const secret of ["evil", "bank", "content", hash, share.hash, "sesame", "http", "Trip"]) {
    assert.ok(!news.text.includes(secret), secret);
  }
  assert.deepEqual(await own.mails(), [], "once");
});

Deno.test("a mail is in the language of its user, and names begin no line or header", async () => {
  await using own = await open();
  const { app, anna } = own;
  const settings = await app.cubby.settings.get();
  const branding = { ...settings.branding, name: "Akten\r\nBcc: eve@example.org" };
  await app.cubby.settings.update({ ...settings, branding });
  await app.cubby.users.update(anna.user.id, { locale: "de", mailNotifications: true });
  const name = "a\r\n- Ihr Passwort wurde geändert";
  await app.cubby.notifications.records.add(anna.user.id, [
    { kind: "job_done", action: "copy", count: 1, at: Date.now(), name },
  ]);
  const [news] = await own.mails();
  assert.deepEqual(news?.to, [mail]);
  assert.match(news?.text ?? "", /^- .*a - Ihr Passwort wurde geändert$/m);
  assert.doesNotMatch(news?.text ?? "", /^- Ihr/m);
  assert.match(news?.text ?? "", /Akten Bcc: eve@example\.org/);
});

Deno.test("an address that the mail server refuses is given up, and the log says so", async () => {
  await using own = await open();
  const { app, server, anna } = own;
  await assertStatus(await own.turnOn(), 200);
  await app.cubby.users.update(anna.user.id, { mail: "nobody@example.org" });
  await app.cubby.notifications.records.add(anna.user.id, [{ kind: "quota_near", at: Date.now() }]);
  assert.deepEqual(await own.mails(), []);
  assert.match(app.log.lines.join("\n"), /Cannot send mail to "nobody@example\.org": /);
  assert.match(app.log.lines.join("\n"), /Notifications of "anna" are not mailed: /);
  assert.deepEqual(server.received, []);
});
