import type { NamedRoot } from "../../../../../shared/schemas/named_root.ts";
import { placeOfRoot } from "../../../../../shared/named_roots.ts";
import { foldName } from "../../../../../shared/fold.ts";

/**
 * The named roots of a member of groups: the own ones first, then those of the groups, the oldest
 * group's first. An own root wins over one of the same name, or of the same folder, and so does
 * that of an older group over one of the same name. A folder that several groups give is read-only
 * only if it is so by each of them.
 */
export function rootsOfMember(
  own: readonly NamedRoot[],
  given: readonly NamedRoot[],
): NamedRoot[] {
  const roots = [...own];
  for (const root of given) {
    const at = roots.findIndex((each) => isAlike(placeOfRoot(each), placeOfRoot(root)));
    const same = roots[at];
    if (same && at >= own.length) roots[at] = { ...same, readOnly: same.readOnly && root.readOnly };
    else if (!same && !roots.some(({ name }) => isAlike(name, root.name))) roots.push(root);
  }
  return roots;
}

function isAlike(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}
