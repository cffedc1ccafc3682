import type { TFunction } from "i18next";
import type { Failure } from "../../shared/result.ts";

/** The reason of a failure, as a sentence in the user's language. */
export function reasonOf(t: TFunction, { code, retryAfter }: Failure): string {
  if (code === "throttled") return t("errors.throttled", { count: retryAfter ?? 60 });
  // A server newer than this page may have codes that it does not know.
  return t(`errors.${code}`, { defaultValue: t("errors.unknown") });
}

/** A failed action, as the end of a translation key: `failures.delete`, `failures.deleteOne`. */
export type EntryAction = "delete" | "move" | "copy";

/**
 * The reasons of several failures: one sentence for each kind of failure.
 *
 * @param failures by the entries' names
 */
export function explain(
  t: TFunction,
  action: EntryAction,
  failures: ReadonlyMap<string, Failure>,
): string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, why] of failures) {
    const reason = reasonOf(t, why);
    byReason.set(reason, [...byReason.get(reason) ?? [], name]);
  }
  return [...byReason].map(([reason, [name, ...others]]) =>
    others.length === 0
      ? t(`failures.${action}One`, { name, reason })
      : t(`failures.${action}Many`, { count: others.length + 1, reason })
  );
}
