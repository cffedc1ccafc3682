import { DomainError } from "../../shared/errors.ts";
import { Mailer } from "../mail/mailer.ts";
import { type Command, wordAt } from "./command.ts";

/** The commands about mail. */
export const mailCommands: Command[] = [
  {
    name: "mail test",
    words: "<address>",
    about: "send a mail as the server would",
    async run(call) {
      const to = wordAt(call, 0, "address");
      const { mail } = await call.records.config();
      if (!mail) {
        throw new DomainError(
          "invalid_option",
          "Cannot send mail: --mail-host and --mail-from name no server and no sender",
        );
      }
      const reasons: string[] = [];
      const mailer = new Mailer({ server: mail, note: (sentence) => void reasons.push(sentence) });
      try {
        await mailer.send({
          ...{ to, subject: "Mail of Cubby works" },
          text: `This mail was sent by "cubby mail test".\nNothing has to be done.\n`,
        });
      } catch (error) {
        if (reasons.length === 0 || !(error instanceof DomainError)) throw error;
        throw new DomainError(error.code, reasons.join("; "));
      }
      call.print(`Handed a mail to ${to} over to ${mail.host}:${mail.port}`);
    },
  },
];
