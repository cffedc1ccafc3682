import type { Context } from "fresh";
import type { EntryPath } from "../../../shared/path.ts";
import { read } from "../../../shared/schemas/read.ts";
import { type FolderView, folderViewSchema } from "../../../shared/schemas/view.ts";
import type { State } from "../../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "./access_for.ts";
import { readJsonObject } from "./json_body.ts";

/** The longest description of a view: it has four short members. */
const longest = { bytes: 4096 };

/** Reads how the request's user looks at folders. */
export function viewFor(ctx: Context<State>): (path: EntryPath) => Promise<FolderView> {
  const { user } = signedInOf(ctx);
  const access = accessFor(ctx);
  return (path) => ctx.state.cubby.folderViews.of(user.id, access, path);
}

/**
 * How the request's user wants to look at a folder.
 *
 * @throws {DomainError} `invalid_json`, `invalid_body`, `body_too_large`
 */
export async function readView(ctx: Context<State>): Promise<FolderView> {
  return read(folderViewSchema, await readJsonObject(ctx, longest));
}
