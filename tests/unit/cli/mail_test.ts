import assert from "node:assert/strict";
import { startSmtpServer } from "../../support/services/smtp_server.ts";
import { openTerminal } from "./terminal.ts";

Deno.test("a mail is tried with the stored options, whose secret is not shown", async () => {
  await using terminal = await openTerminal();
  await using server = await startSmtpServer();
  const none = await terminal.run("mail", "test", "anna@example.org");
  assert.equal(none.status, 2);
  assert.match(none.warned.join(), /Cannot send mail: --mail-host and --mail-from are missing/);
  const half = await terminal.run("config", "set", "--mail-host", "127.0.0.1");
  assert.match(half.warned.join(), /--mail-from must be given as well/);

  await Deno.writeTextFile(`${terminal.folder}/ca.pem`, server.ca);
  const port = `--mail-port=${server.config.port}`;
  const host = ["--mail-host", "127.0.0.1", "--mail-from", "Files <cubby@example.org>", port];
  const account = ["--mail-user", "cubby", "--mail-password", "posts", "--mail-ca", "ca.pem"];
  await terminal.ok("config", "set", ...host, ...account);
  assert.doesNotMatch((await terminal.ok("config", "cat")).join("\n"), /posts/);

  assert.deepEqual(await terminal.ok("mail", "test", "anna@example.org"), [
    `Sent a mail for anna@example.org to 127.0.0.1:${server.config.port}`,
  ]);
  assert.deepEqual(server.received.map(({ to, user, isEncrypted }) => [to, user, isEncrypted]), [
    [["anna@example.org"], "cubby", true],
  ]);
  const refused = await terminal.run("mail", "test", "nobody@example.org");
  assert.equal(refused.status, 1);
  assert.match(refused.warned.join(), /"nobody@example.org": .*550 No such user/);
  const odd = await terminal.run("mail", "test", "anna@example.org\nBcc: eve@example.org");
  assert.match(odd.warned.join(), /expected one, such as/);
  assert.equal(server.received.length, 1);
});
