import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import type { Access } from "../../core/access/access.ts";
import type { Gate } from "../../core/access/gate.ts";
import { isAllowed } from "../../../shared/unless_refused.ts";
import { viewerOf } from "../../core/access/viewer.ts";
import type { Sessions } from "../accounts/auth/sessions.ts";
import type { User } from "../accounts/users/user.ts";
import type { Users } from "../accounts/users/users.ts";
import { pathInView } from "../dav/paths_in_view.ts";
import type { Share } from "../links/shares/share.ts";
import { noShareError, type Shares } from "../links/shares/shares.ts";
import { editionOf, enterByShare } from "../links/shares/visit.ts";
import type { SettingsStore } from "../settings/settings_store.ts";

/** By what a member is in a text: plain data, which any thread may ask again. */
export interface Grant {
  /** The session of the user; absent for a visitor of a share. */
  session?: { userId: number; sid: string; epoch: number };
  /** The share by which it is opened; absent for a file of the user's own. */
  share?: {
    hash: string;
    /** Tells the present password and terms of the share from former ones. */
    edition: string;
  };
  /** The name of a visitor without an account, as others see it. */
  visitor?: string;
  /** The address of the member, for the activity log. */
  address: string;
}

/** What a grant is worth now. */
export interface Admission {
  /** Reads. Paths are those of the user, or in the share. */
  access: Access;
  /** Changes; null for one who only views. */
  editing: Access | null;
  path: EntryPath;
  /** The user among whose files it is, whose rules and quota count. */
  owner: User;
  settings: Settings;
  /** The user who is in; absent for a visitor of a share. */
  user?: User;
  share?: Share;
}

/** The records by which it is decided. */
export interface GrantServices {
  gate: Gate;
  sessions: Sessions;
  settings: SettingsStore;
  shares: Shares;
  users: Users;
}

/**
 * What a grant is worth now: the session, the share and the rights are asked each time, so that it
 * is worth nothing once one of them has ended (CWE-613).
 *
 * @param place of the file, below the server's root
 * @param isSave whether the changes that were taken from the member are saved: its session may have
 * ended since, but its user must still be allowed to
 * @throws DomainError `not_signed_in`; `not_found` also when the file has gone; `forbidden`
 */
export async function admit(
  services: GrantServices,
  grant: Grant,
  place: EntryPath,
  isSave = false,
): Promise<Admission> {
  const user = await userOf(services, grant, isSave);
  const entered = await enter(services, grant, user);
  const { access, editing } = entered;
  const path = pathInView(access.viewer, place);
  const file = path === null ? null : access.find(path);
  if (path === null || file === null || access.placeOf(file) !== place) throw goneError();
  access.read(path);
  const mayEdit = editing !== null && isAllowed(() => editing.modify(path));
  return { ...entered, path, editing: mayEdit ? editing : null, ...user && { user } };
}

async function userOf(
  { sessions, users }: GrantServices,
  { session }: Grant,
  isSave: boolean,
): Promise<User | null> {
  if (!session) return null;
  const seen = await sessions.current({ session });
  if (seen) return seen.user;
  const user = isSave ? await users.seen(session.userId) : null;
  if (user?.epoch === session.epoch) return user;
  throw new DomainError("not_signed_in", "Cannot edit the text: the sign-in has ended");
}

type Entered = Pick<Admission, "access" | "editing" | "owner" | "settings" | "share">;

async function enter(
  { gate, settings: store, shares, users }: GrantServices,
  { share: given }: Grant,
  user: User | null,
): Promise<Entered> {
  const settings = await store.get();
  if (!given) {
    if (!user) throw new DomainError("not_signed_in", "Cannot edit the text: sign in first");
    const access = gate.enter(viewerOf(user, settings.rules));
    return { access, editing: access, owner: user, settings };
  }
  const share = await shares.at(given.hash);
  if (editionOf(share) !== given.edition) throw noShareError();
  return await enterByShare(share, user, { gate, users, shares, settings });
}

/** The file is not where it was. */
export function goneError(): DomainError {
  return new DomainError(
    "not_found",
    "Cannot edit the text: it was moved, renamed or deleted by another program",
  );
}
