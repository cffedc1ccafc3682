import { isRecord } from "../../../shared/schemas/read.ts";
import { inOrder } from "../accounts/users/normalize_user.ts";

/**
 * The names of the fields that differ between two records, as the activity log has them: `signup,
 * trash.days`. Values are left out: among them are secrets.
 */
export function changedSettings(former: object, next: object): string {
  return namesOf(former, next, "").join(", ");
}

function namesOf(former: object, next: object, prefix: string): string[] {
  const before: Record<string, unknown> = { ...former };
  return Object.entries(next).flatMap(([name, value]) => {
    const was = before[name];
    if (isSame(was, value)) return [];
    const isDeep = isRecord(was) && isRecord(value) && prefix === "";
    return isDeep ? namesOf(was, value, `${name}.`) : [prefix + name];
  });
}

function isSame(a: unknown, b: unknown): boolean {
  const text = (value: unknown) => JSON.stringify(isRecord(value) ? inOrder(value) : value);
  return text(a) === text(b);
}
