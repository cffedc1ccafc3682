import { chooseLocale, languageTag } from "../../../shared/i18n/locales.ts";
import { availableLocales, i18nOf } from "./dictionaries.ts";
import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { Invite } from "../../features/accounts/auth/invites/invites.ts";
import type { State } from "../define.ts";
import { publicAddress } from "../middleware/client_address.ts";
import { checkAddress, type Mailer } from "../../features/notifications/mailer.ts";
import type { User } from "../../features/accounts/users/user.ts";

/** The longest subject, in characters. */
export const maxSubjectLength = 150;

/** A text as part of one line: control characters become spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/**
 * The mailer of a link to an address; to be called before the link is made.
 *
 * @throws DomainError `invalid_address`; `not_supported` where no mail is sent
 */
export function linkMailer({ state }: Pick<Context<State>, "state">, to: string): Mailer {
  checkAddress(to);
  const { mail } = state.cubby;
  if (mail) return mail;
  throw new DomainError("not_supported", "Cannot send the link: mail is not configured");
}

/** A link, as its mail tells of it. */
interface MailedLink {
  invite: Invite;
  secret: string;
  /** The user whose password the link sets. */
  user: User | null;
}

/**
 * Sends a link in the language of its user, or that of new users; where nothing is said of either,
 * in that of the caller. A link that is not sent is withdrawn: no one has it.
 *
 * @throws DomainError `invalid_address`, `mail_failed`
 */
export async function mailLink(
  ctx: Pick<Context<State>, "state" | "req" | "info">,
  to: string,
  link: MailedLink,
): Promise<void> {
  const mailer = linkMailer(ctx, to);
  try {
    await mailer.send({ to, ...await linkMail(ctx, link) });
  } catch (error) {
    await ctx.state.cubby.invites.remove(link.invite.id);
    throw error;
  }
}

/**
 * The mail with a link. Names come in the text alone where they might be long, and begin no header:
 * what is no line of text becomes a space.
 */
async function linkMail(
  ctx: Pick<Context<State>, "state" | "req" | "info">,
  { invite, secret, user }: MailedLink,
): Promise<{ subject: string; text: string }> {
  const { defaults, branding } = await ctx.state.cubby.settings.get();
  const acceptLanguage = ctx.req.headers.get("accept-language");
  const chosen = user?.locale ?? defaults.locale;
  const locale = chooseLocale({ chosen, acceptLanguage }, availableLocales());
  const { t } = i18nOf(locale);
  const name = oneLine(branding.name || "Cubby");
  const format = new Intl.DateTimeFormat(languageTag(locale), {
    ...{ dateStyle: "long", timeStyle: "long", timeZone: "UTC" },
  });
  const [subject, text] = user
    ? [
      t("mail.resetSubject", { name }),
      t("mail.resetText", { name, user: oneLine(invite.username ?? "") }),
    ]
    : [t("mail.inviteSubject", { name }), t("mail.inviteText", { name })];
  // The address is that of the administrator's own request: see `refuseForeignHost()`.
  const address = publicAddress(ctx, `/invite#${secret}`);
  const end = t("mail.until", { when: format.format(invite.expires) });
  return {
    subject: oneLine(subject).slice(0, maxSubjectLength),
    text: `${text}\n\n${address}\n\n${end}\n${t("mail.ignore")}\n`,
  };
}
