import type { EntryPath } from "../../../../shared/path.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { foldName } from "../../../../shared/fold.ts";
import { homeOf } from "./home.ts";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import type { User, UserDraft } from "./user.ts";
import type { CreateOptions, Users } from "./users.ts";

/**
 * Makes the folder of a new user, with its parents.
 *
 * @throws DomainError `exists` when a user who signs up would get a folder with another's files
 */
export type MakeHome = (home: EntryPath) => Promise<void>;

/**
 * Creates a user whose scope is a home folder of its own. No two users get the same one, whatever
 * their names fold to; when the folder can't be made there is no user either.
 *
 * @param settings where homes lie
 * @throws DomainError `exists` when the name, or the home that follows from it, is taken;
 * `invalid_name`; `invalid_password`
 */
export async function createWithHome(
  users: Users,
  draft: UserDraft,
  settings: Pick<Settings, "defaults" | "userHomeBasePath">,
  makeHome: MakeHome,
  options: Pick<CreateOptions, "identity" | "along"> = {},
): Promise<User> {
  const home = homeOf(draft.username, settings);
  const claim = foldName(home);
  const others = await users.list();
  if (others.some((user) => foldName(user.scope) === claim)) {
    throw new DomainError(
      "exists",
      `Cannot name a user "${draft.username}": the name is taken`,
    );
  }
  const user = await users.create({ ...draft, scope: home }, { ...options, home: claim });
  try {
    await makeHome(home);
  } catch (error) {
    await users.remove(user.id);
    throw error;
  }
  return user;
}
