import type { Context } from "fresh";
import { DomainError } from "../../../../shared/errors.ts";
import { type EntryPath, parsePath, ROOT } from "../../../../shared/path.ts";
import type { User } from "../../../features/accounts/users/user.ts";
import type { State } from "../../define.ts";
import { accessFor } from "../access_for.ts";

/**
 * The place of the folder that a new API token is to be bound to, from the server's root on: that
 * of the target, where the path leads through a link.
 *
 * @returns null for the whole scope
 * @throws DomainError `invalid_path`, `forbidden`; `not_found` when it is not a folder
 */
export function boundOf(ctx: Context<State>, folder: string | null): EntryPath | null {
  if (folder === null) return null;
  const { path } = parsePath(folder);
  if (path === ROOT) return null;
  const access = accessFor(ctx);
  const handle = access.stat(path);
  if (handle.isFolder) return access.placeOf(handle);
  throw new DomainError("not_found", `Cannot bind the API token to "${path}": it is not a folder`);
}

/**
 * The user whose API tokens a request is about: one's own, or, for administrators, that of
 * `?user=`.
 *
 * @throws DomainError `invalid_option`; `forbidden`; `not_found`
 */
export async function tokenOwnerOf(
  { url, state }: Pick<Context<State>, "url" | "state">,
  me: Pick<User, "id" | "scope" | "roots" | "perm">,
): Promise<Pick<User, "id" | "scope" | "roots">> {
  const text = url.searchParams.get("user");
  if (text === null || text === String(me.id)) return me;
  if (!me.perm.admin) {
    throw new DomainError(
      "forbidden",
      "Cannot list the API tokens of another user: administrator rights required",
    );
  }
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new DomainError("invalid_option", `Cannot read user: "${text}" is not an id`);
  }
  return await state.cubby.users.acting(Number(text));
}
