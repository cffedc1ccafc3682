import { type EntryPath, parsePath } from "../../../shared/path.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { scopeNames } from "../../core/access/scopes.ts";
import { stateOfPlace } from "../../core/access/place_state.ts";
import { makeHome } from "../../files/make_folder.ts";
import type { CheckContext, Finding, Findings } from "./finding.ts";
import { userRecords } from "../../features/accounts/users/user_records.ts";

/** Checks that the scopes of users are folders. A missing one is made. */
export async function* checkHomes(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  for (const { username, scope } of await userRecords.list(store)) {
    const finding = (state: string, repair: Finding["repair"]): Finding => ({
      what: `user "${username}": the folder "${scope}" ${state}`,
      repair,
    });
    const home = readScope(scope);
    if (home === null) {
      yield finding("climbs out of the root", "by hand");
      continue;
    }
    const state = stateOfPlace(gate.spec(), home, tops);
    if (state.kind === "file") yield finding("is not a folder", "by hand");
    if (state.kind === "behind_link") yield finding("is behind a link", "by hand");
    if (state.kind === "unknown") {
      yield finding(`cannot be looked at: ${state.reason}`, "not checked");
    }
    if (state.kind === "gone") {
      yield finding("is not there", async () => {
        await makeHome(gate, home);
        return true;
      });
    }
  }
}

/** The folder of a scope; null for one that climbs out of the root. */
export function readScope(scope: string): EntryPath | null {
  return unlessRefused(() => parsePath(`/${scopeNames(scope).join("/")}`).path);
}
