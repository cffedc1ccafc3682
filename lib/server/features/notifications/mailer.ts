import { createConnection, isIP, type Socket } from "node:net";
import { DomainError } from "../../../shared/errors.ts";
import type { MailServer } from "../../core/config/mail_options.ts";
import { isMailAddress } from "../../../shared/mailbox.ts";

/** Timeout of a whole delivery to the server, in milliseconds. */
const deliveryMs = 30_000;

/** The longest subject, in characters: with its name it fits in a line of RFC 5322 once encoded. */
const maxSubjectLength = 200;

/** The longest text, in characters. */
const maxTextLength = 20_000;

/** A mail of plain text to one person. */
export interface Mail {
  /** One address, without a name. */
  to: string;
  subject: string;
  /** Lines end with `\n`. */
  text: string;
}

/** Dependencies of the mailer. */
export interface MailerOptions {
  server: MailServer;
  /** Timeout of a delivery, in milliseconds; 30 s unless given. */
  timeoutMs?: number;
  /** Logs a sentence. It never has the text of a mail, which may hold a sign-in link. */
  note?(sentence: string): void;
}

/** Hands mails to an SMTP server, each by a connection of its own. */
export class Mailer {
  readonly #options: MailerOptions;

  constructor(options: MailerOptions) {
    this.#options = options;
  }

  /**
   * Sends a mail: it is the server's from then on, and may still come back to the sender.
   *
   * @throws DomainError `invalid_address` for what is no single address, and for one that the server
   * refuses; `invalid_body` for a subject with a control character, which would begin another
   * header (CWE-93); `mail_failed` when the server does not take the mail. The `cause` of what the
   * server refuses is the sentence that is logged
   */
  async send(mail: Mail): Promise<void> {
    checkMail(mail);
    try {
      await this.#deliver(mail);
    } catch (error) {
      const { isRefused, reason } = failureOf(error);
      const sentence = `Cannot send mail to "${mail.to}": ${reason}`;
      this.#options.note?.(sentence);
      const refusal = isRefused
        ? refusedAddressError(mail.to, "the mail server refuses this address")
        : new DomainError(
          "mail_failed",
          "Cannot send the mail: the mail server does not accept it",
        );
      refusal.cause = sentence;
      throw refusal;
    }
  }

  async #deliver({ to, subject, text }: Mail): Promise<void> {
    const { server, timeoutMs = deliveryMs } = this.#options;
    const { host, port, tls, ca, account, from } = server;
    // Loaded where it is used alone.
    const { createTransport } = await import("nodemailer");
    const signal = AbortSignal.timeout(timeoutMs);
    const transport = createTransport({
      ...{ host, port },
      // The name of this machine, which a process without the right to it cannot ask for.
      name: from.address.slice(from.address.lastIndexOf("@") + 1),
      secure: tls === "tls",
      requireTLS: tls === "starttls",
      ignoreTLS: tls === "none",
      tls: { host, ...isIP(host) === 0 && { servername: host }, ...ca !== undefined && { ca } },
      ...account && { auth: { user: account.user, pass: account.password } },
      ...{ disableFileAccess: true, disableUrlAccess: true },
      // A mailer that resolves names by itself would have to be let to the system's name servers.
      getSocket: (_, use) => {
        connect(host, port, signal).then((connection) => use(null, { connection }), use);
      },
    });
    await transport.sendMail({
      ...{ from, to: { name: "", address: to }, subject, text, signal },
      envelope: { from: from.address, to: [to] },
      // Automatic replies and lists leave it alone (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated" },
    });
  }
}

/** @throws DomainError `invalid_address` */
export function checkAddress(to: string): void {
  if (!isMailAddress(to)) throw refusedAddressError(to, "expected one, such as anna@example.org");
}

function refusedAddressError(to: string, reason: string): DomainError {
  return new DomainError(
    "invalid_address",
    `Cannot send mail to ${JSON.stringify(to)}: ${reason}`,
  );
}

function checkMail({ to, subject, text }: Mail): void {
  checkAddress(to);
  if (/\p{Cc}/u.test(subject) || subject.length > maxSubjectLength) {
    throw refusalError(
      to,
      `its subject must be one line of at most ${maxSubjectLength} characters`,
    );
  }
  if (text.length > maxTextLength) {
    throw refusalError(to, `it is longer than ${maxTextLength} characters`);
  }
}

function refusalError(to: string, reason: string): DomainError {
  return new DomainError("invalid_body", `Cannot send mail to ${JSON.stringify(to)}: ${reason}`);
}

function connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port });
    const end = (error: Error) => {
      signal.removeEventListener("abort", late);
      socket.destroy();
      reject(error);
    };
    const late = () => end(new Error("no connection in time"));
    signal.addEventListener("abort", late);
    socket.once("error", end);
    socket.once("connect", () => {
      signal.removeEventListener("abort", late);
      socket.off("error", end);
      resolve(socket);
    });
  });
}

/** Why a delivery has failed, for the log, and whether it was the recipient that was refused. */
function failureOf(error: unknown): { isRefused: boolean; reason: string } {
  if (!(error instanceof Error)) return { isRefused: false, reason: String(error) };
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown };
  const command: unknown = Reflect.get(error, "command");
  // An answer to the mail itself may quote it, such as a filter that dislikes a link.
  if (command === "DATA" || code === "EMESSAGE") {
    return { isRefused: false, reason: `the server refuses its text (${responseCode ?? code})` };
  }
  const isPermanent = typeof responseCode === "number" && responseCode >= 500;
  const isRefused = code === "EENVELOPE" && isPermanent && command === "RCPT TO";
  return { isRefused, reason: error.message };
}
