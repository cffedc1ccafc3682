import { DomainError } from "../../shared/errors.ts";
import type { NewInvite } from "../../shared/schemas/invite.ts";
import type { MailServer } from "../core/config/mail_options.ts";
import { Mailer } from "../features/notifications/mailer.ts";
import type { User } from "../features/accounts/users/user.ts";
import { jsonAnswerTo, type Site } from "./api_commands.ts";
import { type Call, type Command, type Records, wordAt } from "./command.ts";
import { type CommandFlag, dataOf } from "./flags.ts";
import { findUser } from "./user_commands.ts";

const flags: readonly CommandFlag[] = [
  { name: "hours", value: "NUMBER", isNumber: true },
  { name: "url", value: "URL" },
  { name: "mail", value: "ADDRESS" },
];

const options = "--url of the server; --mail ADDRESS sends it as well; --hours of validity (72)";

/** The commands that make links for a new user and for a new password. */
export const inviteCommands: Command[] = [
  {
    name: "users invite",
    words: "[<name>]",
    about: `print a link that creates a user, once; ${options}`,
    flags,
    run: (call) => printLink(call, null),
  },
  {
    name: "users reset-link",
    words: "<id|name>",
    about: `print a link that sets a user's password, once; ${options}`,
    flags,
    run: async (call) =>
      printLink(call, await findUser(call.records.users, wordAt(call, 0, "user"))),
  },
];

async function printLink(call: Call, user: User | null): Promise<void> {
  const { url, ...given } = dataOf(call.flags, flags);
  const site = url === undefined ? undefined : readSite(String(url));
  const server = given.mail === undefined ? null : await mailServerOf(call.records);
  if (server && !site) {
    const reason = "--url must give the address of the server";
    throw new DomainError("invalid_option", `Cannot send the link: ${reason}`);
  }
  const target = user ? { userID: user.id } : { username: call.words[0] ?? null };
  const { token, expires } = await jsonAnswerTo(call, {
    ...{ route: "invites/index", method: "POST", body: { ...given, ...target }, site },
  }) as NewInvite;
  const end = `/invite#${token}`;
  call.print(
    site ? `${site.origin}${site.baseUrl}${end}` : `The address of the server, followed by: ${end}`,
  );
  call.print(`It works once, until ${expires}`);
  if (server) call.print(handedOver(String(given.mail), server));
  else call.print("No mail was sent: pass the link on yourself");
}

/** @throws DomainError `invalid_option` */
function readSite(text: string): Site {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.search === "" && url.hash === "";
  if (isPlain) return { origin: url.origin, baseUrl: url.pathname.replace(/\/+$/, "") };
  const wanted = "expected the address of the server, such as https://files.example.org";
  throw new DomainError("invalid_option", `Cannot use --url="${text}": ${wanted}`);
}

/** The commands about mail. */
export const mailCommands: Command[] = [
  {
    name: "mail test",
    store: "optional",
    words: "<address>",
    about: "send a test mail",
    async run(call) {
      const to = wordAt(call, 0, "address");
      const mail = await mailServerOf(call.records);
      await new Mailer({ server: mail }).send({
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
async function mailServerOf(records: Pick<Records, "config">): Promise<MailServer> {
  const { mail } = await records.config();
  if (mail) return mail;
  throw new DomainError(
    "invalid_option",
    "Cannot send mail: --mail-host and --mail-from are missing",
  );
}

/** The line that is printed for a sent mail. */
function handedOver(to: string, { host, port }: MailServer): string {
  return `Sent a mail for ${to} to ${host}:${port}`;
}
