import assert from "node:assert/strict";
import { appFolder } from "../../../../lib/server/core/config/app_folder.ts";
import type { MailServer } from "../../../../lib/server/core/config/mail_options.ts";
import { resolveConfig } from "../../../../lib/server/core/config/resolve_config.ts";
import { permissionFlags } from "../../../../lib/server/core/sandbox/deno_permissions.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";
import { startSmtpServer } from "../../../support/services/smtp_server.ts";

const probe = new URL("../../../support/probes/mail_probe.ts", import.meta.url).pathname;

Deno.test("mail leaves with the rights of the server process, for its own server alone", async () => {
  await using server = await startSmtpServer({ authOptional: false });
  const mail: MailServer = {
    ...{ ...server.config, host: "localhost", tls: "starttls", ca: server.ca },
    account: { user: "cubby", password: "posts" },
  };
  assert.deepEqual(await send(mail, mail), { success: true, output: "" });
  assert.equal(server.received.length, 1);
  const { success, output } = await send(mail, { ...mail, port: mail.port ^ 1 });
  assert.equal(success, false);
  assert.match(output, /^Cannot send mail to "anna@example\.org": .*(?:EPERM|net access)/);
});

/** Sends a mail to `server` in a process with the rights for the other. */
async function send(
  server: MailServer,
  allowed: MailServer,
): Promise<{ success: boolean; output: string }> {
  await using folder = await temporaryFolder();
  const { config } = resolveConfig({ args: [], env: new Map(), cwd: folder.path });
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--cached-only", "--frozen", "--no-check"],
      ...["--node-modules-dir=manual", ...permissionFlags({ ...config, mail: allowed }, true)],
      ...[probe, JSON.stringify(server)],
    ],
    cwd: appFolder,
    stderr: "null",
  }).output();
  return { success, output: new TextDecoder().decode(stdout) };
}
