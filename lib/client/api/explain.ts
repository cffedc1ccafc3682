import type { TFunction } from "i18next";
import { reasonOf } from "./reasons.ts";
import type { Failure } from "./result.ts";

/** What was to be done, as the end of keys of the texts: `failures.delete`, `failures.deleteOne`. */
export type Deed = "delete" | "move" | "copy";

/**
 * Why entries were left as they were: one sentence for each kind of failure, however many met it.
 *
 * @param failures by the entries' names
 */
export function explain(
  t: TFunction,
  deed: Deed,
  failures: ReadonlyMap<string, Failure>,
): string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, why] of failures) {
    const reason = reasonOf(t, why);
    byReason.set(reason, [...byReason.get(reason) ?? [], name]);
  }
  return [...byReason].map(([reason, [name, ...others]]) =>
    others.length === 0
      ? t(`failures.${deed}One`, { name, reason })
      : t(`failures.${deed}Many`, { count: others.length + 1, reason })
  );
}
