/** Sends a mail in a process of its own. Argument: the server, as JSON. */
import type { MailServer } from "../../../lib/server/core/config/mail_options.ts";
import { Mailer } from "../../../lib/server/features/notifications/mailer.ts";

const server: MailServer = JSON.parse(Deno.args[0] ?? "");
const mailer = new Mailer({ server, note: (sentence) => console.log(sentence) });
await mailer.send({ to: "anna@example.org", subject: "Welcome", text: "Hello\n" });
