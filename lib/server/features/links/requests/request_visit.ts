import type { Access } from "../../../core/access/access.ts";
import type { Gate } from "../../../core/access/gate.ts";
import { pathIn } from "../../../../shared/named_roots.ts";
import { noPermissions, viewerOf } from "../../../core/access/viewer.ts";
import { ROOT } from "../../../../shared/path.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import type { User } from "../../accounts/users/user.ts";
import type { Users } from "../../accounts/users/users.ts";
import { VisitorTokens } from "../link_terms.ts";
import type { FileRequest } from "./request.ts";
import { dayMs } from "../../../../shared/time.ts";

/** Lifetime of a visitor's token, in milliseconds: a large upload takes a day. */
const tokenMs = dayMs;

/** The tokens by which visitors send files to a request. */
export const requestTokens = new VisitorTokens<FileRequest>(
  "request+jwt",
  tokenMs,
  ({ passwordHash, edition }) => JSON.stringify([passwordHash, edition]),
);

/** An admitted visitor of a request. */
export interface RequestVisit {
  request: FileRequest;
  /** Makes new entries in the folder, from which its paths count, and nothing else. */
  access: Access;
  settings: Settings;
  owner: User;
}

/** The inputs that a visit is decided by. */
export interface RequestVisitOptions {
  gate: Gate;
  users: Users;
  settings: Settings;
}

/**
 * Admits a visitor, who may create in the folder as far as its owner may now. Rules and hidden
 * names apply as they do to the owner, and no link leads out of the folder.
 *
 * @throws DomainError `forbidden` when the owner is gone, or may not share or create any more;
 * `not_found` when the folder is gone, or out of the owner's reach
 */
export async function enterRequest(
  request: FileRequest,
  { gate, users, settings }: RequestVisitOptions,
): Promise<RequestVisit> {
  const owner = await users.acting(request.userId).catch((error) => {
    throw error instanceof DomainError && error.code === "not_found" ? refusedError() : error;
  });
  const { admin, share, create } = owner.perm;
  if (!admin && !(share && create)) throw refusedError();
  const base = pathIn(owner, request.path);
  if (base === null) throw folderGoneError();
  const writer = { ...owner, perm: { ...noPermissions(), create: true } };
  const access = gate.enter(viewerOf(writer, settings.rules, base));
  if (!access.stat(ROOT).isFolder) throw folderGoneError();
  return { request, access, settings, owner };
}

function refusedError(): DomainError {
  const reason = "its owner may no longer request files";
  return new DomainError("forbidden", `Cannot open the request: ${reason}`);
}

function folderGoneError(): DomainError {
  return new DomainError("not_found", "Cannot open the request: its folder is gone");
}
