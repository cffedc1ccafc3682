import type { Context } from "fresh";
import type { EntryPath } from "../../../shared/path.ts";
import type { FolderView } from "../../../shared/schemas/view.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "./access_for.ts";

/** Reads how the request's user looks at folders. */
export function viewFor(ctx: Context<State>): (path: EntryPath) => Promise<FolderView> {
  const { user } = signedInOf(ctx);
  const access = accessFor(ctx);
  return (path) => ctx.state.cubby.folderViews.of(user.id, access, path);
}
