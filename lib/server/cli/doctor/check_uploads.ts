import { childOf, type EntryPath } from "../../../shared/path.ts";
import { stateOfPlace } from "../../core/access/place_state.ts";
import { uploadParts } from "../../files/upload/upload_parts.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks that unfinished uploads have a user, and the file with what has come. */
export async function* checkUploads(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  for (const entry of await uploadParts.entries(store)) {
    const { userId, path, folder, name, ino, expires } = entry.value;
    if (expires <= Date.now()) continue;
    const user = await findUser(store, userId);
    const what = `upload of "${path}" by ${user ? `"${user.username}"` : "a user"}`;
    const drop = commit(store, (operation) => uploadParts.drop(operation, entry));
    if (!user) {
      yield { what: `${what} who is gone`, repair: drop };
      continue;
    }
    const state = stateOfPlace(gate.spec(), childOf(folder, name), tops);
    if (state.kind === "unknown") {
      yield { what: `${what}: ${state.reason}`, repair: "not checked" };
    } else if (state.kind !== "file" || state.ino !== ino) {
      // A server completes an upload by a rename, and removes its record then.
      const now = await store.get(entry.key);
      if (now.versionstamp !== entry.versionstamp) continue;
      yield { what: `${what}: its partial file is missing`, repair: drop };
    }
  }
}
