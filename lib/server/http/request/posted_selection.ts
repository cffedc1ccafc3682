import type { Context } from "fresh";
import type { EntryPath } from "../../../shared/path.ts";
import type { State } from "../define.ts";
import { readBody } from "./body.ts";

/** The longest form that is read, in bytes: about 100,000 names of 40 letters. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Reads the selected entries of a folder from a form, for selections longer than a URL may be. It is
 * parsed outside of the serving thread.
 *
 * @throws DomainError `body_too_large`; as `readForm()`
 */
export async function readPostedSelection(
  ctx: Context<State>,
  folder: EntryPath,
): Promise<EntryPath[]> {
  const body = await readBody(ctx, { bytes: maxBytes, milliseconds: 60_000 });
  const type = ctx.req.headers.get("content-type") ?? "";
  return await ctx.state.cubby.archives.readForm({ body, type, folder }, ctx.req.signal);
}
