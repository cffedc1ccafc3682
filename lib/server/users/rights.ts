import type { Rule, UserPreferences } from "../../shared/api_types.ts";

/**
 * The rights of a user in canonical form: equal rights are equal texts, in whatever order their
 * members were stored.
 *
 * @param rules the global rules, which apply besides
 */
export function rightsOf(
  { perm, scope, commands }: Pick<UserPreferences, "perm" | "scope" | "commands">,
  rules: readonly Rule[],
): string {
  const ruleParts = rules.map(({ allow, path, regex, regexp }) => [allow, path, regex, regexp.raw]);
  return JSON.stringify([inOrder(perm), scope, commands, ruleParts]);
}

/** The members of a record in the order of their names. */
export function inOrder(record: object): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1);
}
