import type { TFunction } from "i18next";
import { quotaReason } from "./quota_words.ts";
import type { Failure } from "../../../shared/result.ts";

/** The reason of a failure, as a sentence in the user's language. */
export function reasonOf(t: TFunction, { code, message, retryAfter }: Failure): string {
  if (code === "over_quota") return quotaReason(t, message);
  if (code === "throttled") return t("errors.throttled", { count: retryAfter ?? 60 });
  const text = t(`errors.${code}`);
  // A server newer than this page may have codes that it does not know: without a text.
  return text === `errors.${code}` ? t("errors.unknown") : text;
}

/** A failed action, as the end of a translation key: `failures.delete`, `failures.deleteOne`. */
export type EntryAction = "delete" | "move" | "copy";

/**
 * The reasons of several failures: one sentence for each kind of failure.
 *
 * @param failures by the entries' names
 * @param unlisted how many more failed, for reasons that the server did not list
 */
export function explain(
  t: TFunction,
  action: EntryAction,
  failures: ReadonlyMap<string, Failure>,
  unlisted = 0,
): string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, why] of failures) {
    const reason = reasonOf(t, why);
    const names = byReason.get(reason);
    if (names) names.push(name);
    else byReason.set(reason, [name]);
  }
  const texts = [...byReason].map(([reason, names]) =>
    names.length === 1
      ? t(`failures.${action}One`, { name: names.join(), reason })
      : t(`failures.${action}Many`, { count: names.length, reason })
  );
  return unlisted > 0 ? [...texts, t("failures.more", { amount: unlisted })] : texts;
}
