import { type NotificationFacts, notificationText } from "../../../shared/notification_text.ts";
import { chooseLocale } from "../../../shared/i18n/locales.ts";
import type { StoredNotification } from "../../features/notifications/notification.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import type { User } from "../../features/accounts/users/user.ts";
import { availableLocales, i18nOf } from "./dictionaries.ts";
import { maxSubjectLength, oneLine } from "./link_mail.ts";

/** Most notifications that a mail names, and the longest line about one, in characters. */
const maxNamed = 20;
const maxLineLength = 300;

/**
 * The mail with a user's notifications. What a visitor calls himself is not in it: mails with the
 * words of strangers would be sent in the name of the site.
 *
 * @param unread the latest first
 */
export function digestMail(
  unread: readonly StoredNotification[],
  { locale }: Pick<User, "locale">,
  { defaults, branding }: Pick<Settings, "defaults" | "branding">,
): { subject: string; text: string } {
  const chosen = locale || defaults.locale;
  const { t } = i18nOf(chooseLocale({ chosen, acceptLanguage: null }, availableLocales()));
  const name = oneLine(branding.name || "Cubby");
  const lines = unread.slice(0, maxNamed).map((each) => {
    const sentence = oneLine(notificationText(t, factsOf(each), (text) => text));
    const line = each.address === undefined ? sentence : `${sentence} (${oneLine(each.address)})`;
    return `- ${line.slice(0, maxLineLength)}`;
  });
  const more = unread.length - lines.length;
  if (more > 0) lines.push(`- ${t("mail.newsMore", { amount: more })}`);
  return {
    subject: oneLine(t("mail.newsSubject", { name })).slice(0, maxSubjectLength),
    text: `${lines.join("\n")}\n\n${t("mail.newsWhy", { name })}\n`,
  };
}

function factsOf(
  { kind, count = 0, action, who, name, device }: StoredNotification,
): NotificationFacts {
  const known = kind === "received" ? null : who ?? null;
  const about = { action: action ?? null, name: name ?? null, device: device ?? null };
  return { kind, count, who: known, ...about };
}
