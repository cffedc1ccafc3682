import type { Access } from "../access/access.ts";
import type { Gate } from "../access/gate.ts";
import { pathIn } from "../../shared/named_roots.ts";
import { noPermissions, viewerOf } from "../access/viewer.ts";
import { DomainError } from "../../shared/errors.ts";
import type { Settings } from "../settings/settings.ts";
import type { User } from "../users/user.ts";
import type { Users } from "../users/users.ts";
import type { Share } from "./share.ts";

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
  const { gate, users, settings } = options;
  const owner = await ownerOf(share, users);
  const { admin, share: mayShare, download } = owner.perm;
  if (!admin && !(mayShare && download)) throw refused();
  const base = pathIn(owner, share.path);
  if (base === null) {
    throw new DomainError("not_found", "Cannot open the share: what it led to is gone");
  }
  const reader = { ...owner, perm: { ...noPermissions(), download: true } };
  return { access: gate.enter(viewerOf(reader, settings.rules, base)), settings, owner };
}

async function ownerOf({ userId }: Share, users: Users): Promise<User> {
  try {
    return await users.acting(userId);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") throw refused();
    throw error;
  }
}

function refused(): DomainError {
  return new DomainError("forbidden", "Cannot open the share: its owner may not share any more");
}
