import { isLoopback } from "../../shared/loopback.ts";
import type { MailServer } from "./config.ts";
import { type Mailbox, readMailbox } from "../../shared/mailbox.ts";
import type { GivenValue, OptionName } from "./options.ts";
import { half, readAuthorities, readSecret } from "./read_sign_in.ts";
import { StartRefusal } from "./refusal.ts";
import { readAddress, readWholeNumber, readWord, refused, type ValueOf } from "./values.ts";

const modes = ["starttls", "tls", "none"] as const;

/**
 * Reads the SMTP server that mail is handed to; undefined without one. An empty value overrides
 * another source's.
 *
 * @throws StartRefusal for the first error
 */
export function readMail(valueOf: ValueOf, cwd: string): MailServer | undefined {
  const host = valueOf("mail-host", (value) => value.text.trim() && readHost(value), "");
  const from = valueOf("mail-from", readSender, null);
  if (host === "" && from === null) return undefined;
  if (host === "") throw half("mail-from", "mail-host");
  if (from === null) throw half("mail-host", "mail-from");
  const tls = valueOf("mail-tls", (value) => value.text && readWord(value, modes), "") ||
    "starttls";
  // Mails carry links that sign users in, and perhaps a password.
  if (tls === "none" && !isLoopback(host)) {
    throw new StartRefusal("Cannot use --mail-tls none: mail would be readable on the way");
  }
  const usualPort = tls === "tls" ? 465 : 587;
  const readPort = (value: GivenValue) =>
    value.text === "" ? usualPort : readWholeNumber(value, 1, 65_535);
  const user = valueOf("mail-user", ({ text }) => text.trim(), "");
  const password = readSecret(valueOf, cwd, "mail-password") ?? "";
  const refuseHalf = (there: OptionName, missing: OptionName) => {
    throw half(there, missing);
  };
  if (user !== "" && password === "") refuseHalf("mail-user", "mail-password");
  if (user === "" && password !== "") refuseHalf("mail-password", "mail-user");
  return {
    ...{ host, tls, from },
    port: valueOf("mail-port", readPort, usualPort),
    ca: valueOf("mail-ca", (value) => readAuthorities(value, cwd), undefined),
    ...user !== "" && { account: { user, password } },
  };
}

function readHost(value: GivenValue): string {
  const host = readAddress({ ...value, text: value.text.trim() });
  if (host === "0.0.0.0" || host === "::") throw refused(value, "expected the name of a server");
  return host;
}

function readSender(value: GivenValue): Mailbox | null {
  if (value.text.trim() === "") return null;
  const mailbox = readMailbox(value.text);
  if (mailbox) return mailbox;
  throw refused(value, "expected an address, such as Files <cubby@example.org>");
}
