import { languageTag } from "../../../shared/i18n/locales.ts";
import { i18nOf } from "./dictionaries.ts";

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
