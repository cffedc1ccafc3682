/** A real SMTP server on a free port of this machine, which keeps what it is given. */
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { joined } from "../../../lib/shared/joined.ts";
import type { MailServer } from "../../../lib/server/core/config/mail_options.ts";

const tls = new URL("../data/tls/", import.meta.url).pathname;

/** A mail as the server was given it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** As whom the sender had signed in; "" for nobody. */
  user: string;
  isEncrypted: boolean;
  /** Headers and text, as sent. */
  raw: string;
}

/** A running server. It refuses mail to `nobody@…`, and with "unwanted" in it. */
export interface TestSmtpServer extends AsyncDisposable {
  /** For the configuration of the application: without encryption. */
  config: MailServer;
  /** The authority that its certificate is signed by. */
  ca: string;
  received: ReceivedMail[];
}

/** Starts a server. @param options further options of it, such as `secure` */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const certificate = await Deno.readTextFile(`${tls}certificate.pem`);
  const server = new SMTPServer({
    ...{ logger: false, authOptional: true, disableReverseLookup: true, closeTimeout: 100 },
    ...{ key: await Deno.readTextFile(`${tls}key.pem`), cert: certificate },
    onAuth({ username, password }, _session, answer) {
      const isRight = username === "cubby" && password === "posts";
      answer(isRight ? null : new Error("Wrong"), isRight ? { user: username } : undefined);
    },
    onRcptTo({ address }, _session, answer) {
      answer(address.startsWith("nobody@") ? refusal(550, "No such user") : null);
    },
    onData(stream, { envelope, user, secure }, answer) {
      const parts: Uint8Array<ArrayBuffer>[] = [];
      stream.on("data", (part: Uint8Array<ArrayBuffer>) => void parts.push(part));
      stream.on("end", () => {
        const raw = new TextDecoder().decode(joined(parts));
        if (raw.includes("unwanted")) return answer(refusal(554, `Not wanted: ${raw}`));
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : "",
          to: envelope.rcptTo.map(({ address }) => address),
          user: user ?? "",
          isEncrypted: secure,
          raw,
        });
        answer(null);
      });
    },
    ...options,
  });
  const listening = Promise.withResolvers<void>();
  server.on("error", () => {});
  server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    config: {
      ...{ host: "127.0.0.1", port, tls: "none" },
      from: { name: "Files", address: "cubby@example.org" },
    },
    ca: certificate,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The subject and the text of a mail, decoded. */
export function readMail({ raw }: ReceivedMail): { subject: string; text: string } {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const body = rest.join("\n\n").replaceAll("\r\n", "\n");
  const isBase64 = /^Content-Transfer-Encoding: base64/m.test(head);
  const bytes = isBase64 ? Uint8Array.fromBase64(body.replaceAll("\n", "")) : Uint8Array.from(
    body.replace(/=\n/g, "").replace(
      /=([\dA-F]{2})/g,
      (_, hex) => String.fromCharCode(parseInt(hex, 16)),
    ),
    (character) => character.charCodeAt(0),
  );
  const [, subject = ""] = /^Subject: (.*)$/m.exec(head) ?? [];
  return { subject: subject.trim(), text: new TextDecoder().decode(bytes) };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
