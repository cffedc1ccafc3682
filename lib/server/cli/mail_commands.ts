import { DomainError } from "../../shared/errors.ts";
import type { MailServer } from "../config/config.ts";
import { type Mail, Mailer } from "../mail/mailer.ts";
import { type Command, type Records, wordAt } from "./command.ts";

/** The commands about mail. */
export const mailCommands: Command[] = [
  {
    name: "mail test",
    words: "<address>",
    about: "send a test mail",
    async run(call) {
      const to = wordAt(call, 0, "address");
      const mail = await mailServerOf(call.records);
      await sendMail(mail, {
        ...{ to, subject: "Mail of Cubby works" },
        text: `This mail was sent by "cubby mail test".\nNothing has to be done.\n`,
      });
      call.print(handedOver(to, mail));
    },
  },
];

/**
 * The mail server of the configuration.
 *
 * @throws DomainError `invalid_option` without one
 */
export async function mailServerOf(records: Pick<Records, "config">): Promise<MailServer> {
  const { mail } = await records.config();
  if (mail) return mail;
  throw new DomainError(
    "invalid_option",
    "Cannot send mail: --mail-host and --mail-from are missing",
  );
}

/** Sends a mail. @throws DomainError that says what the server has said */
export async function sendMail(server: MailServer, mail: Mail): Promise<void> {
  const reasons: string[] = [];
  const mailer = new Mailer({ server, note: (sentence) => void reasons.push(sentence) });
  try {
    await mailer.send(mail);
  } catch (error) {
    if (reasons.length === 0 || !(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, reasons.join("; "));
  }
}

/** The line that is printed for a sent mail. */
export function handedOver(to: string, { host, port }: MailServer): string {
  return `Sent a mail for ${to} to ${host}:${port}`;
}
