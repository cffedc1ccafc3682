import assert from "node:assert/strict";
import { startSmtpServer, type TestSmtpServer } from "../../support/services/smtp_server.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

const url = ["--url", "https://files.example.org/den/"];
const mail = ["--mail", "ivy@example.org"];

async function configureMail(terminal: TestTerminal, server: TestSmtpServer): Promise<void> {
  await Deno.writeTextFile(`${terminal.folder}/ca.pem`, server.ca);
  const port = `--mail-port=${server.config.port}`;
  const host = ["--mail-host", "127.0.0.1", "--mail-from", "Files <cubby@example.org>", port];
  await terminal.ok("config", "set", ...host, "--mail-ca", "ca.pem");
}

async function openLinks(terminal: TestTerminal): Promise<number> {
  const { openStore } = await import("../../../lib/server/core/kv/store.ts");
  const store = await openStore(terminal.database);
  const { length } = await store.list(["invites"]);
  store.close();
  return length;
}

Deno.test("a link is printed, whole where the address is known, and nobody is sent a mail", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  const bare = await terminal.ok("users", "invite");
  assert.match(bare[0] ?? "", /^The address of the server, followed by: \/invite#[\w-]{43}$/);
  const whole = await terminal.ok("users", "invite", "ivy", ...url);
  assert.match(whole[0] ?? "", /^https:\/\/files\.example\.org\/den\/invite#[\w-]{43}$/);
  for (const printed of [bare, whole]) {
    assert.equal(printed.at(-1), "No mail was sent: pass the link on yourself");
  }
});

Deno.test("no link is made that cannot be sent", async () => {
  await using terminal = await openTerminal();
  await terminal.ok("config", "init");
  await using server = await startSmtpServer();
  const attempts: [string[], RegExp][] = [
    [[...url, ...mail], /Cannot send mail: --mail-host and --mail-from are missing/],
  ];
  const send = async (args: string[], reason: RegExp) => {
    const { status, warned } = await terminal.run("users", "invite", "ivy", ...args);
    assert.notEqual(status, 0);
    assert.match(warned.join(), reason);
  };
  for (const [args, reason] of attempts) await send(args, reason);
  await configureMail(terminal, server);
  await send(mail, /--url must give the address of the server/);
  await send([...url, "--mail", "ivy"], /expected one, such as/);
  for (
    const odd of ["files.example.org", "ftp://files.example.org", "https://a@b/", "https://a/?b"]
  ) {
    await send(["--url", odd, ...mail], /expected the address of the server/);
  }
  await send([...url, "--mail", "nobody@example.org"], /550 No such user/);
  assert.equal(await openLinks(terminal), 0);
  assert.deepEqual(server.received, []);
});

Deno.test("a link whose mail is refused is not in the activity log: nobody could use it", async () => {
  await using terminal = await openTerminal();
  await using server = await startSmtpServer();
  await configureMail(terminal, server);
  await terminal.ok("config", "set", "--audit.level=changes");
  const activities = async () => {
    const lines = await terminal.ok("audit", "export", "--format=json");
    return lines.map((line) => JSON.parse(line)).filter(({ action }) => /^invite_/.test(action))
      .map(({ action, subject }) => `${action} ${subject}`);
  };
  const refused = await terminal.run("users", "invite", "ivy", ...url, "--mail", "nobody@b.org");
  assert.deepEqual([refused.status, refused.printed, await activities()], [1, [], []]);
  await terminal.ok("users", "invite", "ivy", ...url, ...mail);
  assert.deepEqual(await activities(), ["invite_add ivy, ivy@example.org"]);
});

Deno.test("a link is sent by mail, in the language of its user", async () => {
  await using terminal = await openTerminal();
  await using server = await startSmtpServer();
  await configureMail(terminal, server);
  await terminal.ok("users", "add", "jan", "herons at the river", "--locale", "de");
  const printed = await terminal.ok("users", "reset-link", "jan", ...url, ...mail);
  const [link = ""] = printed;
  assert.match(link, /^https:\/\/files\.example\.org\/den\/invite#[\w-]{43}$/);
  assert.match(printed.at(-1) ?? "", /^Sent a mail for ivy@example\.org to 127\.0\.0\.1:/);
  const [received, ...more] = server.received;
  assert.deepEqual([received?.to, more], [["ivy@example.org"], []]);
  const raw = (received?.raw ?? "").replace(/=\r\n/g, "").replaceAll("=3D", "=");
  assert.ok(raw.includes(link), raw);
  assert.match(raw, /Passwort/);
});
