import { chooseLocale, languageTag } from "../../../shared/i18n/locales.ts";
import { availableLocales, i18nOf } from "./dictionaries.ts";
import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { Invite } from "../../features/accounts/auth/invites/invites.ts";
import type { State } from "../define.ts";
import { publicOrigin } from "../middleware/client_address.ts";
import { checkAddress, type Mailer } from "../../features/notifications/mailer.ts";
import type { User } from "../../features/accounts/users/user.ts";

/** The longest subject, in characters. */
export const maxSubjectLength = 150;

/** A link that an administrator hands out, as its mail tells of it. */
export interface MailedLink {
  kind: "invite" | "reset";
  /** The whole address, secret included. */
  link: string;
  /** The user whose password it sets. */
  username: string | null;
  /** In milliseconds since 1970. */
  expires: number;
}

/**
 * The mail with a link. Names come in the text alone where they might be long, and begin no header:
 * what is no line of text becomes a space.
 *
 * @param locale one of `availableLocales()`
 * @param site the name of this site
 */
export function linkMail(
  { kind, link, username, expires }: MailedLink,
  locale: string,
  site: string,
): { subject: string; text: string } {
  const { t } = i18nOf(locale);
  const name = oneLine(site);
  const format = new Intl.DateTimeFormat(languageTag(locale), {
    ...{ dateStyle: "long", timeStyle: "long", timeZone: "UTC" },
  });
  const [subject, text] = kind === "invite"
    ? [t("mail.inviteSubject", { name }), t("mail.inviteText", { name })]
    : [
      t("mail.resetSubject", { name }),
      t("mail.resetText", { name, user: oneLine(username ?? "") }),
    ];
  const end = t("mail.until", { when: format.format(expires) });
  return {
    subject: oneLine(subject).slice(0, maxSubjectLength),
    text: `${text}\n\n${link}\n\n${end}\n${t("mail.ignore")}\n`,
  };
}

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

/**
 * Sends a link in the language of its user, or that of new users; where nothing is said of either,
 * in that of the caller. A link that is not sent is withdrawn: no one has it.
 *
 * @param made the user is the one whose password the link sets
 * @throws DomainError `invalid_address`, `mail_failed`
 */
export async function mailLink(
  ctx: Pick<Context<State>, "state" | "req" | "info">,
  to: string,
  { invite, secret, user }: { invite: Invite; secret: string; user: User | null },
): Promise<void> {
  const mailer = linkMailer(ctx, to);
  const { config, invites, settings } = ctx.state.cubby;
  const { defaults, branding } = await settings.get();
  const acceptLanguage = ctx.req.headers.get("accept-language");
  const chosen = user?.locale ?? defaults.locale;
  const locale = chooseLocale({ chosen, acceptLanguage }, availableLocales());
  // The address is that of the administrator's own request: see `refuseForeignHost()`.
  const { https, host } = publicOrigin(ctx.info, ctx.req, config.trustedProxies);
  const link = `${https ? "https" : "http"}://${host}${config.baseUrl}/invite#${secret}`;
  const kind = user ? "reset" : "invite";
  const facts = { kind, link, username: invite.username, expires: invite.expires } as const;
  try {
    await mailer.send({ to, ...linkMail(facts, locale, branding.name || "Cubby") });
  } catch (error) {
    await invites.remove(invite.id);
    throw error;
  }
}
