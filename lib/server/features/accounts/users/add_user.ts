import type { Settings } from "../../../../shared/schemas/settings.ts";
import { isRecord } from "../../../../shared/schemas/read.ts";
import { readUserDraft } from "./read_user.ts";
import type { User } from "./user.ts";
import type { Users } from "./users.ts";
import { createWithHome, type MakeHome } from "./with_home.ts";

/**
 * Creates the user that an administrator describes. When the settings give every user a home, one
 * without a scope or named roots of its own gets it; an existing folder is used as it is.
 *
 * @param data the JSON that was sent; missing fields come from the defaults
 * @throws DomainError `exists` when the name, or the home that follows from it, is taken;
 * `invalid_body`; `invalid_name`; `invalid_password`; `invalid_path`; `invalid_rule`
 */
export async function addUser(
  users: Users,
  settings: Settings,
  data: unknown,
  makeHome: MakeHome,
): Promise<User> {
  const draft = readUserDraft(data, settings);
  const hasScope = isRecord(data) && typeof data.scope === "string" && data.scope.trim() !== "";
  const hasPlace = hasScope || draft.roots.length > 0;
  if (!settings.createUserDir || hasPlace) return await users.create(draft);
  return await createWithHome(users, draft, settings, makeHome);
}
