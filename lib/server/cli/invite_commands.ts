import { DomainError } from "../../shared/errors.ts";
import { chooseLocale } from "../../shared/i18n/locales.ts";
import type { NewInvite } from "../../shared/schemas/invite.ts";
import type { MailServer } from "../core/config/config.ts";
import { checkAddress, type Mail, Mailer } from "../features/notifications/mailer.ts";
import { availableLocales } from "../http/pages/dictionaries.ts";
import { linkMail } from "../http/pages/link_mail.ts";
import type { User } from "../features/accounts/users/user.ts";
import { answerTo, jsonAnswerTo } from "./api_commands.ts";
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
  const { url, mail: to, ...given } = dataOf(call.flags, flags);
  const base = url === undefined ? null : readBase(String(url));
  // Asked for before the link is made: one that cannot be sent would be open for nobody.
  const server = to === undefined ? null : await mailServerOf(call.records);
  if (server) checkAddress(String(to));
  if (server && base === null) {
    const reason = "--url must give the address of the server";
    throw new DomainError("invalid_option", `Cannot send the link: ${reason}`);
  }
  const target = user ? { userID: user.id } : { username: call.words[0] ?? null };
  const making = {
    route: "invites/index",
    method: "POST",
    body: { ...given, ...target },
  } as const;
  const invite = await jsonAnswerTo(call, making) as NewInvite;
  const end = `/invite#${invite.token}`;
  if (server) {
    try {
      await sendMail(server, {
        to: String(to),
        ...await linkMailOf(call, `${base}${end}`, invite, user),
      });
    } catch (error) {
      await answerTo(call, { route: "invites/[id]", method: "DELETE", place: invite.id });
      throw error;
    }
  }
  call.print(base ? `${base}${end}` : `The address of the server, followed by: ${end}`);
  call.print(`It works once, until ${invite.expires}`);
  if (server) call.print(handedOver(String(to), server));
  else call.print("No mail was sent: pass the link on yourself");
}

/** The mail with a link, in the language of its user, or that of new users. */
async function linkMailOf(
  { records: { settings } }: Call,
  link: string,
  { username, expires }: NewInvite,
  user: User | null,
): Promise<Omit<Mail, "to">> {
  const { defaults, branding } = await settings.get();
  const chosen = user?.locale ?? defaults.locale;
  const locale = chooseLocale({ chosen, acceptLanguage: null }, availableLocales());
  const kind = user ? "reset" : "invite";
  const facts = { kind, link, username, expires: Date.parse(expires) } as const;
  return linkMail(facts, locale, branding.name || "Cubby");
}

/**
 * The address of the server, without a slash at its end.
 *
 * @throws DomainError `invalid_option`
 */
function readBase(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.search === "" && url.hash === "";
  if (isPlain) return url.href.replace(/\/+$/, "");
  const wanted = "expected the address of the server, such as https://files.example.org";
  throw new DomainError("invalid_option", `Cannot use --url="${text}": ${wanted}`);
}

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
async function mailServerOf(records: Pick<Records, "config">): Promise<MailServer> {
  const { mail } = await records.config();
  if (mail) return mail;
  throw new DomainError(
    "invalid_option",
    "Cannot send mail: --mail-host and --mail-from are missing",
  );
}

/** Sends a mail. @throws DomainError that says what the server has said */
async function sendMail(server: MailServer, mail: Mail): Promise<void> {
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
function handedOver(to: string, { host, port }: MailServer): string {
  return `Sent a mail for ${to} to ${host}:${port}`;
}
