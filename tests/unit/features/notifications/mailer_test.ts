import assert from "node:assert/strict";
import type { MailServer } from "../../../../lib/server/core/config/mail_options.ts";
import { type Mail, Mailer } from "../../../../lib/server/features/notifications/mailer.ts";
import { DomainError, type ErrorCode } from "../../../../lib/shared/errors.ts";
import { startSmtpServer } from "../../../support/services/smtp_server.ts";

const mail: Mail = { to: "anna@example.org", subject: "Welcome", text: "Hello Anna\n.\nBye\n" };

function open(server: MailServer, timeoutMs?: number): { mailer: Mailer; notes: string[] } {
  const notes: string[] = [];
  return {
    mailer: new Mailer({ server, timeoutMs, note: (sentence) => void notes.push(sentence) }),
    notes,
  };
}

async function refuses(sent: Promise<void>, code: ErrorCode, message: RegExp): Promise<void> {
  await assert.rejects(sent, (error) => {
    assert.ok(error instanceof DomainError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}

Deno.test("an address with a line end, a list, a name or a route is refused before anything is sent", async () => {
  await using server = await startSmtpServer();
  const { mailer } = open(server.config);
  const addresses = [
    "",
    "anna",
    "anna@",
    "@example.org",
    "anna@example.org\r\nBcc: eve@example.org",
    "anna@example.org\nRCPT TO:<eve@example.org>",
    "anna@example.org\0",
    "anna@example.org,eve@example.org",
    "anna@example.org eve@example.org",
    "Anna <anna@example.org>",
    "<anna@example.org>",
    "@relay.org:anna@example.org",
    '"anna eve"@example.org',
    "anna@example.org@example.com",
    "anna..b@example.org",
    "anna@-example.org",
    "anna@[127.0.0.1]",
    "anna\u202e@example.org",
    `${"a".repeat(65)}@example.org`,
    `anna@${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}`,
  ];
  for (const to of addresses) {
    await refuses(mailer.send({ ...mail, to }), "invalid_address", /expected one, such as/);
  }
  assert.deepEqual(server.received, []);
});

Deno.test("a subject with a line end begins no header", async () => {
  await using server = await startSmtpServer();
  const { mailer } = open(server.config);
  for (
    const subject of ["Hi\r\nBcc: eve@example.org", "Hi\nX: y", "Hi\r", "Hi\0", "a".repeat(201)]
  ) {
    await refuses(
      mailer.send({ ...mail, subject }),
      "invalid_body",
      /its subject must be one line/,
    );
  }
  await refuses(mailer.send({ ...mail, text: "a".repeat(20_001) }), "invalid_body", /longer than/);
  assert.deepEqual(server.received, []);
});

Deno.test("a mail comes to its one address as it was written", async () => {
  await using server = await startSmtpServer();
  const { mailer, notes } = open(server.config);
  await mailer.send(mail);
  const [received, ...more] = server.received;
  assert.deepEqual(more, []);
  assert.deepEqual([received?.from, received?.to], ["cubby@example.org", ["anna@example.org"]]);
  assert.deepEqual([received?.user, received?.isEncrypted], ["", false]);
  const raw = received?.raw ?? "";
  assert.match(raw, /^From: Files <cubby@example\.org>\r$/m);
  assert.match(raw, /^To: anna@example\.org\r$/m);
  assert.match(raw, /^Subject: Welcome\r$/m);
  assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
  assert.match(raw, /^Content-Type: text\/plain; charset=utf-8\r$/m);
  // A line that is a dot does not end it.
  assert.ok(raw.endsWith("\r\n\r\nHello Anna\r\n.\r\nBye\r\n"), JSON.stringify(raw));
  assert.deepEqual(notes, []);
});

Deno.test("subjects and texts may be in any script", async () => {
  await using server = await startSmtpServer();
  await open(server.config).mailer.send({ ...mail, subject: "Привет 👋", text: "Grüße, 世界\n" });
  const raw = server.received[0]?.raw ?? "";
  assert.match(raw, /^Subject: =\?UTF-8\?/m);
  assert.match(raw, /^Content-Transfer-Encoding: (?:quoted-printable|base64)\r$/m);
});

Deno.test("the text of a mail reads no file and no address", async () => {
  await using server = await startSmtpServer();
  const text = '{"path":"/etc/hostname"}\nfile:///etc/hostname\n';
  await open(server.config).mailer.send({ ...mail, text });
  assert.match(server.received[0]?.raw ?? "", /\{"path":"\/etc\/hostname"\}/);
});

Deno.test("the connection is encrypted before anything is said, and from the start", async () => {
  for (const [tls, secure] of [["starttls", false], ["tls", true]] as const) {
    await using server = await startSmtpServer({ secure, authOptional: false });
    const { ca, config } = server;
    const account = { user: "cubby", password: "posts" };
    await open({ ...config, tls, ca, account }).mailer.send(mail);
    const [received] = server.received;
    assert.deepEqual([received?.user, received?.isEncrypted], ["cubby", true], tls);
    const strange = open({ ...config, tls, account });
    await refuses(strange.mailer.send(mail), "mail_failed", /the mail server does not accept it$/);
    assert.match(strange.notes.join(), /certificate|UnknownIssuer|self.signed/i);
    assert.equal(server.received.length, 1);
  }
});

Deno.test("a server that leaves encryption out is told neither the password nor the mail", async () => {
  await using server = await startSmtpServer({
    hideSTARTTLS: true,
    disabledCommands: ["STARTTLS"],
  });
  const account = { user: "cubby", password: "posts" };
  const { mailer } = open({ ...server.config, tls: "starttls", ca: server.ca, account });
  await refuses(mailer.send(mail), "mail_failed", /the mail server does not accept it$/);
  assert.deepEqual(server.received, []);
});

Deno.test("a wrong password is not told, and not logged", async () => {
  await using server = await startSmtpServer({ authOptional: false });
  const account = { user: "cubby", password: "hisses" };
  const { mailer, notes } = open({ ...server.config, tls: "starttls", ca: server.ca, account });
  await refuses(mailer.send(mail), "mail_failed", /the mail server does not accept it$/);
  assert.match(notes.join(), /^Cannot send mail to "anna@example\.org": Invalid login: 535/);
  assert.doesNotMatch(notes.join(), /hisses/);
});

Deno.test("an address that the server refuses is told, what it says to a mail is not logged", async () => {
  await using server = await startSmtpServer();
  const { mailer, notes } = open(server.config);
  const to = "nobody@example.org";
  await refuses(
    mailer.send({ ...mail, to }),
    "invalid_address",
    /the mail server refuses this address/,
  );
  const secret = "https://files.example/enter/unwanted-secret";
  await refuses(mailer.send({ ...mail, text: secret }), "mail_failed", /does not accept it$/);
  assert.match(notes.at(-1) ?? "", /refuses its text \(554\)$/);
  assert.doesNotMatch(notes.join(), /unwanted-secret/);
});

Deno.test("a server that is away, or no mail server, fails in words", async () => {
  const { config } = await startAndStop();
  const away = open(config);
  await refuses(away.mailer.send(mail), "mail_failed", /the mail server does not accept it$/);
  assert.match(away.notes.join(), /refused/i);
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const greeted = listener.accept().then(async (connection) => {
    await connection.write(new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n"));
    connection.close();
  });
  await refuses(open({ ...config, port }).mailer.send(mail), "mail_failed", /does not accept it$/);
  await greeted;
});

Deno.test("a server that is silent, or says a little all the time, is given up", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const { config } = await startAndStop();
  for (const line of ["", "220-wait\r\n"]) {
    const ended = listener.accept().then(async (connection) => {
      const writing = setInterval(() => {
        connection.write(new TextEncoder().encode(line)).catch(() => {});
      }, 20);
      // Until the client closes.
      await new Response(connection.readable).bytes().catch(() => {});
      clearInterval(writing);
    });
    const { mailer } = open({ ...config, port }, 300);
    await refuses(mailer.send(mail), "mail_failed", /does not accept it$/);
    await ended;
  }
});

/** The configuration of a server that has ended. */
async function startAndStop(): Promise<{ config: MailServer }> {
  await using server = await startSmtpServer();
  return { config: server.config };
}
