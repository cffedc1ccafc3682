import { join } from "node:path";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { defaultSettings } from "../../../lib/server/features/settings/settings.ts";
import type { Settings } from "../../../lib/shared/schemas/settings.ts";
import { SettingsStore } from "../../../lib/server/features/settings/settings_store.ts";
import { openPasswords } from "../../../lib/server/features/accounts/passwords/passwords.ts";
import type { UserChange } from "../../../lib/server/features/accounts/users/user.ts";
import { Users } from "../../../lib/server/features/accounts/users/users.ts";
import type { RunningServer } from "./server.ts";

/** Changes the server's records behind its back, as another process that shares the store would. */
export async function administer(
  server: Pick<RunningServer, "data">,
  { user, settings }: { user?: UserChange; settings?: Partial<Settings> },
): Promise<void> {
  const store = await openStore(join(server.data, "cubby.kv"));
  const passwords = await openPasswords();
  try {
    if (user) await new Users(store, passwords).update(1, user);
    if (settings) await new SettingsStore(store).update({ ...defaultSettings(), ...settings });
  } finally {
    passwords.close();
    store.close();
  }
}
