/** The options of sending mail. */
import { isLoopback } from "../../../shared/loopback.ts";
import { type Mailbox, readMailbox } from "../../../shared/mailbox.ts";
import { type GivenValue, kinds, type Members, type OptionTable } from "./option.ts";
import { StartRefusal } from "./refusal.ts";
import {
  missingPartnerError,
  orNone,
  readAddress,
  readTrimmed,
  refusedError,
  wholeNumber,
  word,
} from "./values.ts";

/** See {@linkcode MailServer}. */
export const mailOptions = {
  "mail-host": {
    value: "HOST",
    help: "SMTP server that sends the mail",
    read: readHost,
    default: "",
    otherwise: "no mail",
    stored: true,
  },
  "mail-port": {
    value: "PORT",
    help: "port of the SMTP server",
    read: orNone(wholeNumber(1, 65_535)),
    otherwise: "587; 465 with --mail-tls tls",
    stored: true,
  },
  "mail-tls": {
    value: "MODE",
    help: "starttls, tls, or none for a server on this machine",
    read: orNone(word("starttls", "tls", "none")),
    default: "starttls",
    stored: true,
  },
  "mail-ca": {
    ...kinds.authorities,
    help: "CA certificates (PEM) for the SMTP server",
  },
  "mail-user": {
    value: "NAME",
    help: "user name at the SMTP server",
    read: readTrimmed,
    default: "",
    otherwise: "none",
    stored: true,
  },
  "mail-password": { ...kinds.secret, help: "password at the SMTP server" },
  "mail-password-file": { ...kinds.secretFile, help: "file with that password" },
  "mail-from": {
    value: "ADDRESS",
    help: "sender, such as cubby@example.org or: Files <cubby@example.org>",
    read: readSender,
    stored: true,
  },
} as const satisfies OptionTable;

type MailValues = Members<typeof mailOptions, "mail-">;

/** The SMTP server that mail is handed to. */
export interface MailServer extends Omit<MailValues, "user" | "password"> {
  port: number;
  /** The account to sign in with there; none without one. */
  account?: { user: string; password: string };
  from: Mailbox;
}

/**
 * Makes the mail server; undefined without one.
 *
 * @throws StartRefusal for the first error
 */
export function makeMailServer(values: MailValues): MailServer | undefined {
  const { host, from } = values;
  if (host === "" && from === undefined) return undefined;
  if (host === "") throw missingPartnerError("mail-from", "mail-host");
  if (from === undefined) throw missingPartnerError("mail-host", "mail-from");
  const { tls } = values;
  // Mails carry links that sign users in, and perhaps a password.
  if (tls === "none" && !isLoopback(host)) {
    throw new StartRefusal("Cannot use --mail-tls none: mail would travel in plain text");
  }
  const { user, password = "" } = values;
  if (user !== "" && password === "") throw missingPartnerError("mail-user", "mail-password");
  if (user === "" && password !== "") throw missingPartnerError("mail-password", "mail-user");
  return {
    ...{ host, tls, from },
    port: values.port ?? (tls === "tls" ? 465 : 587),
    ca: values.ca,
    ...user !== "" && { account: { user, password } },
  };
}

function readHost(value: GivenValue): string {
  const text = value.text.trim();
  if (text === "") return "";
  const host = readAddress({ ...value, text });
  if (host === "0.0.0.0" || host === "::") {
    throw refusedError(value, "expected the name of a server");
  }
  return host;
}

function readSender(value: GivenValue): Mailbox | undefined {
  if (value.text.trim() === "") return undefined;
  const mailbox = readMailbox(value.text);
  if (mailbox) return mailbox;
  throw refusedError(value, "expected an address, such as Files <cubby@example.org>");
}
