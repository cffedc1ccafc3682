import type { EntryPath } from "../../../../shared/path.ts";
import type { User } from "../../accounts/users/user.ts";
import {
  lesserRight,
  type RecipientRight,
  recipientRights,
} from "../../../../shared/schemas/choices/choices.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import type { Recipient, ShareInfo } from "../../../../shared/schemas/share.ts";
import { nonDefaultTerms } from "../../../../shared/share_terms.ts";

/** A share as the store holds it. */
export interface Share {
  /** 128 random bits in base64url, fewer in links of File Browser: the secret of the link. */
  hash: string;
  userId: number;
  /** The shared path in the scope that the owner had at the time. */
  path: EntryPath;
  /** Its path below the server's root, by which it is followed when it is moved. */
  place: EntryPath;
  /** End of its lifetime in seconds since 1970; 0 for none. */
  expire: number;
  /** A bcrypt hash; null for a share without a password. */
  passwordHash: string | null;
  /**
   * The digest of the token by which File Browser's addresses open a share with a password, until the
   * share is changed; absent where there is none.
   */
  tokenDigest?: string;
  /** When it was made, in seconds since 1970; absent in the records of older versions. */
  created?: number;
  /** Absent where none was ever set, as in the records of older versions. */
  terms?: ShareTerms;
  /** Of what its owner has been notified. */
  told?: ShareEvent[];
  /** The id of the record of its entry, of one that is in the store. */
  target?: string;
}

/** News of a share for an owner who wants them, each once. */
export type ShareEvent = "opened" | "used_up";

/** Further terms of a share. */
export interface ShareTerms {
  /** A second address of the page, in lower case; "" for none. */
  name: string;
  /** Most downloads; 0 for no limit. */
  downloadLimit: number;
  /** Visitors see files in their browser, and are not offered to save them. */
  viewOnly: boolean;
  /** Chat programs that unfurl the link see what is shared. */
  linkPreview: boolean;
  /** Its owner is notified when it is first used, and when its downloads are used up. */
  notify?: boolean;
  /** The users and groups who may open it; absent or null for anybody with the link. */
  audience?: ShareAudience | null;
  /** Anybody with the link may open it as well; never without an audience. */
  anyone?: boolean;
  /**
   * The edition that `anyone` was set for. An earlier version keeps `anyone`, which it does not know,
   * when it changes the audience: then `anyone` no longer counts.
   */
  anyoneIn?: number;
  /** The right of anybody with the link; absent for `download`, and where the link opens nothing. */
  anyoneMay?: RecipientRight;
  /**
   * The edition that `anyoneMay` was set for, likewise: an earlier version gives the right to
   * download. Of a link that gives less, the record has no `anyone`, but an audience, be it an empty
   * one: then that version opens the share for no stranger.
   */
  anyoneMayIn?: number;
  /** Counts the changes of the share: visitors' tokens from before one are void. */
  edition: number;
}

/** The ids of the users and groups that a share is for: none of them is ever given again. */
export interface ShareAudience {
  users: number[];
  groups: number[];
  /** By {@linkcode recipientKey}; of one who is left out, `download`. */
  rights?: Record<string, RecipientRight>;
}

/** The key of the right of a user or a group. */
export function recipientKey(kind: "user" | "group", id: number): string {
  return `${kind} ${id}`;
}

/** The keys of the users and groups of an audience, each a {@linkcode recipientKey}. */
export function audienceKeys({ users, groups }: Pick<ShareAudience, "users" | "groups">): string[] {
  return [
    ...users.map((id) => recipientKey("user", id)),
    ...groups.map((id) => recipientKey("group", id)),
  ];
}

/** Stands for anybody with the link where others are named by a {@linkcode recipientKey}. */
export const linkKey = "link";

/** Stands for visitors without an account where users are told apart by their ids, from 1 on. */
export const visitorId = 0;

/** The keys of those whom a share is for: anybody with the link, users and groups. */
export function memberKeys(share: Pick<Share, "terms">): string[] {
  const terms = termsOf(share);
  const { audience } = terms;
  return [...isOpenToAll(terms) ? [linkKey] : [], ...audience ? audienceKeys(audience) : []];
}

const noTerms: ShareTerms = {
  name: "",
  downloadLimit: 0,
  viewOnly: false,
  linkPreview: false,
  edition: 0,
};

/** The terms of a share, those of an older version's included. */
export function termsOf({ terms = noTerms }: Pick<Share, "terms">): ShareTerms {
  const { anyone, anyoneIn, anyoneMay, anyoneMayIn, ...closed } = terms;
  const { audience, edition } = closed;
  const may = anyoneMayIn === edition ? anyoneMay : undefined;
  const isForAll = !audience || (may === "view" && audienceKeys(audience).length === 0);
  const isOpen = isForAll || may === "view" || (anyone === true && anyoneIn === edition);
  return {
    ...closed,
    ...audience && isForAll && { audience: null },
    ...isOpen && !isForAll && { anyone: true },
    ...isOpen && may && { anyoneMay: may },
  };
}

/**
 * Terms after a change, in a new edition. An audience that is set alone is the only one who may
 * open the share, also where anybody might before: whoever sets one may not know of `anyone`. For
 * the same reason, who says whom a share is for and not what anybody with the link may do gives
 * them no more than a download.
 */
export function changedTerms(
  before: ShareTerms,
  change: Partial<ShareTerms> = {},
  edition = before.edition + 1,
): ShareTerms {
  const { anyone: _, anyoneIn: __, anyoneMay: ___, anyoneMayIn: ____, ...after } = {
    ...before,
    ...change,
    edition,
  };
  const isKept = change.audience === undefined && change.anyone === undefined;
  const isOpen = !after.audience || (change.anyone ?? (isKept && before.anyone));
  if (!isOpen) return after;
  const former = isKept || before.anyoneMay === "view" ? before.anyoneMay : undefined;
  const { anyoneMay = former ?? "download" } = change;
  if (anyoneMay === "view") {
    const audience = after.audience ?? { users: [], groups: [] };
    return { ...after, audience, anyoneMay, anyoneMayIn: edition };
  }
  return {
    ...after,
    ...after.audience && { anyone: true, anyoneIn: edition },
    ...anyoneMay !== "download" && { anyoneMay, anyoneMayIn: edition },
  };
}

/** How a share was used; both are 0 when it was not. */
export interface ShareUse {
  downloads: number;
  /** The last visit, in seconds since 1970. */
  last: number;
}

/** The setting by which links give less than their owners have chosen, for as long as it is so. */
export type LinkSettings = Pick<Settings, "maxLinkRight">;

/**
 * The right of a user to a share: the most that the user's own name, the groups and the link give,
 * and never more than viewing where that is all the share offers. Null for one whom it is not for.
 *
 * @param user null for a visitor who is not signed in
 */
export function rightTo(
  share: Share,
  user: Pick<User, "id" | "groups"> | null,
  settings: LinkSettings,
): RecipientRight | null {
  const terms = termsOf(share);
  const { users = [], groups = [], rights = {} } = terms.audience ?? {};
  const given = [
    ...users.filter((id) => id === user?.id).map((id) => recipientKey("user", id)),
    ...groups.filter((id) => user?.groups.includes(id)).map((id) => recipientKey("group", id)),
  ].map((key) => rights[key] ?? "download");
  if (isOpenToAll(terms)) given.push(lesserRight(chosenRight(terms), settings.maxLinkRight));
  if (user?.id === share.userId) given.push("download");
  const right = recipientRights.findLast((each) => given.includes(each)) ?? null;
  return right && terms.viewOnly ? "view" : right;
}

/** The most that a share gives to anybody. */
export function highestRight(
  share: Pick<Share, "terms">,
  settings: LinkSettings,
): RecipientRight {
  const terms = termsOf(share);
  if (terms.viewOnly) return "view";
  const { audience } = terms;
  const given = audience
    ? audienceKeys(audience).map((key) => audience.rights?.[key] ?? "download")
    : [];
  if (isOpenToAll(terms)) given.push(lesserRight(chosenRight(terms), settings.maxLinkRight));
  return recipientRights.findLast((right) => given.includes(right)) ?? "download";
}

/** The right that an owner has chosen for anybody with the link; null where it opens nothing. */
export function linkRight(share: Pick<Share, "terms">): RecipientRight | null {
  const terms = termsOf(share);
  if (!isOpenToAll(terms)) return null;
  return terms.viewOnly ? "view" : chosenRight(terms);
}

function chosenRight({ anyoneMay = "download" }: ShareTerms): RecipientRight {
  return anyoneMay;
}

function isOpenToAll({ audience, anyone }: ShareTerms): boolean {
  return !audience || anyone === true;
}

/**
 * A share as its owner and administrators see it. What was never set or never happened is left out,
 * as clients of older versions expect.
 *
 * @param path in the owner's scope
 * @param audience the users and groups that it is for; undefined for anybody
 */
export function toShareInfo(
  share: Share,
  path: EntryPath,
  use: ShareUse,
  audience?: Recipient[],
): ShareInfo {
  const { hash, userId, expire, passwordHash } = share;
  return {
    ...{ hash, path, userID: userId, expire, hasPassword: passwordHash !== null },
    ...nonDefaultTerms({ ...termsOf(share), audience }),
    ...use.downloads !== 0 && { downloads: use.downloads },
    ...use.last !== 0 && { lastUsed: use.last },
  };
}

/** Whether a share has expired. @param now milliseconds since 1970 */
export function hasExpired({ expire }: Pick<Share, "expire">, now: number): boolean {
  return expire !== 0 && expire * 1000 <= now;
}
