import type { EntryPath } from "../../../../shared/path.ts";
import { endAfter } from "../link_terms.ts";
import { changedTerms, type Share, type ShareTerms, termsOf } from "./share.ts";

/** Other terms; what is absent stays. */
export type TermsChange = Partial<Omit<ShareTerms, "edition">>;

/** A change of a share; what is absent stays. */
export interface ShareChange {
  /** The shared entry: the path with the owner's scope before it, and the entry's own place. */
  target?: { path: EntryPath; place: EntryPath };
  /** "" removes it. */
  password?: string;
  /** From now on; 0 for no end. */
  seconds?: number;
  /** In place of `seconds`: the end, in seconds since 1970; 0 for no end. */
  expire?: number;
  /** They may depend on those that the share has at the moment of the commit. */
  terms?: TermsChange | ((before: ShareTerms) => TermsChange);
}

/**
 * A share after a change. A new edition invalidates the tokens of visitors, who are asked
 * for the new terms.
 *
 * @param passwordHash of the new password, if one is given
 */
export function changedShare(
  { tokenDigest: _, ...share }: Share,
  { target, password, seconds, expire, terms }: ShareChange,
  { passwordHash, now }: { passwordHash: string | null; now: number },
): Share {
  const before = termsOf(share);
  const after = changedTerms(before, typeof terms === "function" ? terms(before) : terms);
  const isReset = target !== undefined || (after.notify && !before.notify);
  const isOtherLimit = after.downloadLimit !== before.downloadLimit;
  const told = isReset ? [] : share.told?.filter((event) => event !== "used_up" || !isOtherLimit);
  return {
    ...share,
    ...target,
    ...password !== undefined && { passwordHash },
    ...seconds !== undefined && { expire: endAfter(seconds, now) },
    ...expire !== undefined && { expire },
    terms: after,
    ...told && { told },
  };
}
