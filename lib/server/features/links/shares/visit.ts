import type { Access } from "../../../core/access/access.ts";
import type { Gate } from "../../../core/access/gate.ts";
import { pathIn } from "../../../../shared/named_roots.ts";
import { noPermissions, viewerOf } from "../../../core/access/viewer.ts";
import type { Permissions } from "../../../../shared/schemas/rights.ts";
import {
  includesRight,
  type PermissionName,
  type RecipientRight,
} from "../../../../shared/schemas/choices/choices.ts";
import { type EntryPath, ROOT } from "../../../../shared/path.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { hourMs } from "../../../../shared/time.ts";
import type { User } from "../../accounts/users/user.ts";
import type { Users } from "../../accounts/users/users.ts";
import { VisitorTokens } from "../link_terms.ts";
import { digestOf } from "../../../core/kv/random_id.ts";
import { unlessRefused } from "../../../../shared/unless_refused.ts";
import {
  highestRight,
  linkRight,
  type LinkSettings,
  rightTo,
  type Share,
  termsOf,
} from "./share.ts";
import { noShareError, type Shares } from "./shares.ts";

/** Lifetime of a token after a correct password, in milliseconds. */
const tokenMs = 2 * hourMs;

/** The tokens of shares. */
const shareTokens = new VisitorTokens<Share>("share+jwt", tokenMs, secretsOf);

function secretsOf(share: Share): string {
  const { edition } = termsOf(share);
  return (share.passwordHash ?? "") + (edition === 0 ? "" : ` ${edition}`);
}

/** Tells the present password and terms of a share from former ones. */
export function editionOf(share: Share): string {
  return digestOf(secretsOf(share)).slice(0, 16);
}

/** Whether a token opens a share: one of this server, or of File Browser's addresses of it. */
export async function opensShare(key: CryptoKey, share: Share, token: string): Promise<boolean> {
  return digestOf(token) === share.tokenDigest || await shareTokens.accepts(key, share, token);
}

/** A new token; "" for a share without a password, which needs none. */
export async function shareTokenOf(key: CryptoKey, share: Share): Promise<string> {
  return share.passwordHash === null ? "" : await shareTokens.sign(key, share);
}

/** An admitted visitor of a share. */
export interface Visit {
  /** Paths in it are relative to the shared entry. It is read-only. */
  access: Access;
  settings: Settings;
  owner: User;
}

/** The inputs that a visit is decided by. */
export interface VisitOptions {
  gate: Gate;
  users: Users;
  settings: Settings;
}

/**
 * Admits a visitor whose access has been checked. A share grants no more than its owner may do and
 * reach now.
 *
 * @throws DomainError `forbidden` when the owner is gone or may not share any more; `not_found`
 * when the owner's scope is another now
 */
export async function enterShare(share: Share, options: VisitOptions): Promise<Visit> {
  return enterAs(await ownerOf(share, options.users), share, options, { download: true });
}

const adding = "Cannot add to the share";

/**
 * Admits somebody who may add files, as far as the owner may by now: the access makes new
 * entries in the shared folder and does nothing else. What it adds is the owner's, whose rules,
 * hidden names and quota count; no link leads out of the folder.
 *
 * @throws DomainError as {@linkcode enterShare}; `forbidden` also when the owner may not create, in a
 * named root that is read-only, and for a file
 */
export async function enterToAdd(share: Share, options: VisitOptions): Promise<Visit> {
  const visit = await enterWithoutLooking(share, options);
  if (!visit.access.stat(ROOT).isFolder) {
    throw new DomainError("forbidden", `${adding}: it is a file`);
  }
  visit.access.needWritable(ROOT, adding);
  return visit;
}

/**
 * The part of {@linkcode enterToAdd} that does not look at the disk, which may be away.
 *
 * @throws DomainError as {@linkcode enterShare}; `forbidden` also when the owner may not create
 */
export async function enterWithoutLooking(share: Share, options: VisitOptions): Promise<Visit> {
  const owner = await ownerOf(share, options.users);
  if (!owner.perm.admin && !owner.perm.create) {
    throw new DomainError("forbidden", `${adding}: its owner may not create files`);
  }
  return enterAs(owner, share, options, { create: true });
}

const editing = "Cannot change the share";

/** The permissions of an editor, all of which the owner must have. */
const editorPermissions = { create: true, modify: true, rename: true, delete: true };

/** The permissions behind the rights that change files. */
const permissionsOf = {
  upload: ["create"],
  edit: Object.keys(editorPermissions) as PermissionName[],
} as const;

/**
 * Checks that a share gives no right that whoever makes or changes it lacks at this moment. An API
 * token that only reads and shares would otherwise let others write in its owner's name (CWE-269).
 *
 * @param access of the caller, with the permissions of an API token if one is used
 * @param path of the shared entry in the caller's scope; null for the share of another, which an
 * administrator changes, and for one that is out of reach
 * @throws DomainError `forbidden` without a permission, and in a named root that is read-only
 */
export function assertMayGive(
  access: Access,
  share: Pick<Share, "terms">,
  path: EntryPath | null,
): void {
  // The setting may allow it again.
  const right = highestRight(share, { maxLinkRight: "edit" });
  if (right !== "upload" && right !== "edit") return;
  const action = `Cannot give the right "${right}"`;
  access.need(action, ...permissionsOf[right]);
  if (path !== null) access.needWritable(path, action);
}

/**
 * Refuses a link that is to give anyone more than the settings allow. One that gives it already, and
 * one for which nothing is chosen, gives what is allowed: programs that know of no such right go on.
 *
 * @param before the share as it was; null for a new one
 * @throws DomainError `forbidden`
 */
export function assertLinkMayGive(
  share: Pick<Share, "terms">,
  before: Pick<Share, "terms"> | null,
  { maxLinkRight }: LinkSettings,
): void {
  const right = linkRight(share);
  if (right === null || includesRight(maxLinkRight, right)) return;
  const former = before === null ? null : linkRight(before);
  if (includesRight(former ?? "download", right)) return;
  throw new DomainError(
    "forbidden",
    `Cannot give anyone with the link the right "${right}": this server allows "${maxLinkRight}" ` +
      "at most",
  );
}

/**
 * Admits somebody who may change what is shared, as far as the owner may by now. The shared entry
 * itself keeps its name and place. It all happens to the owner's files: the owner's rules, hidden
 * names and quota count, and no link leads out of the shared entry.
 *
 * @throws DomainError as {@linkcode enterShare}; `forbidden` also when the owner lacks one of the
 * permissions, and in a named root that is read-only
 */
export async function enterToEdit(share: Share, options: VisitOptions): Promise<Visit> {
  const owner = await ownerOf(share, options.users);
  const { create, modify, rename, delete: remove, admin } = owner.perm;
  if (!admin && !(create && modify && rename && remove)) {
    throw new DomainError("forbidden", `${editing}: its owner may not change files`);
  }
  const visit = enterAs(owner, share, options, { ...editorPermissions, download: true });
  visit.access.needWritable(ROOT, editing);
  return visit;
}

/** Somebody who has a share open, as of now. */
export interface ShareEntry extends Visit {
  share: Share;
  /** The right that the share gives; those of its owner are in `editing`. */
  may: RecipientRight;
  /** Changes; null for one who may not edit, or by now not any more. */
  editing: Access | null;
}

/**
 * Opens a share for somebody who keeps a file of it open: what a share gives is asked again each
 * time, so that nothing goes on once the share, the right, or what its owner may do has ended
 * (CWE-613).
 *
 * @param user null for a visitor who is not signed in
 * @throws DomainError as {@linkcode enterShare}; `not_found` for one whom it is not for, and when its
 * downloads are used up
 */
export async function enterByShare(
  share: Share,
  user: Pick<User, "id" | "groups"> | null,
  options: VisitOptions & { shares: Pick<Shares, "uses"> },
): Promise<ShareEntry> {
  const may = rightTo(share, user, options.settings);
  if (may === null || await options.shares.uses.isUsedUp(share)) throw noShareError();
  const visit = await enterShare(share, options);
  const editing = includesRight(may, "edit")
    ? await unlessRefused(async () => (await enterToEdit(share, options)).access)
    : null;
  return { ...visit, share, may, editing };
}

/** What remains of a right that a share gives: no more than its owner may do now. */
export async function remainingRight(
  share: Share,
  given: RecipientRight,
  options: VisitOptions,
): Promise<RecipientRight> {
  if (includesRight(given, "edit") && await admits(() => enterToEdit(share, options))) return given;
  if (!includesRight(given, "upload")) return given;
  return await admits(() => enterToAdd(share, options)) ? "upload" : "download";
}

async function admits(enter: () => Promise<Visit>): Promise<boolean> {
  try {
    await enter();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

function enterAs(
  owner: User,
  share: Share,
  { gate, settings }: VisitOptions,
  permissions: Partial<Permissions>,
): Visit {
  const { admin, share: mayShare, download } = owner.perm;
  if (!admin && !(mayShare && download)) throw refusedError();
  const base = pathIn(owner, share.path);
  if (base === null) {
    throw new DomainError("not_found", "Cannot open the share: its target is gone");
  }
  const viewer = { ...owner, perm: { ...noPermissions(), ...permissions } };
  return { access: gate.enter(viewerOf(viewer, settings.rules, base)), settings, owner };
}

async function ownerOf({ userId }: Share, users: Users): Promise<User> {
  try {
    return await users.acting(userId);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") throw refusedError();
    throw error;
  }
}

function refusedError(): DomainError {
  return new DomainError("forbidden", "Cannot open the share: its owner may no longer share");
}
