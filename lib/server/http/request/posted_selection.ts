import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { State } from "../../define.ts";
import { readBody } from "./body.ts";

/** The longest form that is read, in bytes: about 100,000 names of 40 letters. */
const longest = 4 * 1024 * 1024;

/**
 * Reads the fields `files` of a form: the selected entries of a folder, encoded as in a URL, for
 * selections longer than a URL may be.
 *
 * @returns the values of all `files`, at least one; for `readSelection()`
 * @throws DomainError `body_too_large`; `invalid_body` when it is no form, or has no `files`
 */
export async function readPostedSelection(ctx: Context<State>): Promise<string[]> {
  const body = await readBody(ctx, { bytes: longest, milliseconds: 60_000 });
  const headers = { "content-type": ctx.req.headers.get("content-type") ?? "" };
  const form = await new Response(body, { headers }).formData().catch(() => null);
  const lists = form?.getAll("files").filter((value) => typeof value === "string") ?? [];
  if (lists.length > 0) return lists;
  throw new DomainError("invalid_body", 'Cannot read the form: it has no field "files"');
}
