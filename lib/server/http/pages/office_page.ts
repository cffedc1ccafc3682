import type { Context } from "fresh";
import { isEditedInOffice } from "../../../shared/file_kinds.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { State } from "../define.ts";

/**
 * Whether a page can show a file in the office server. If so, the page may frame that server's
 * origin and post the token there, and no other page may.
 */
export function admitsEditor(
  ctx: Pick<Context<State>, "state">,
  { name, isDir, type }: Pick<Entry, "name" | "isDir" | "type">,
): boolean {
  const { office } = ctx.state.cubby.config;
  if (!office || isDir || type === "invalid_link" || !isEditedInOffice(name)) return false;
  const { origin } = new URL(office.publicUrl);
  ctx.state.others = { frames: [origin], forms: [origin] };
  return true;
}
