import type { Context } from "fresh";
import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { State } from "../define.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { disposition, notModified, sandboxPolicy } from "./downloads.ts";
import { bytesBody } from "./page_stream.ts";

/** `max-age` of a PDF requested with a cache key, in seconds: a year. */
const lifeWithKey = 31_536_000;

const mediaType = "application/pdf";

/**
 * Answers with an Office document as PDF. With `k`, a key that the client changes with the file, it
 * may be cached for good.
 *
 * @param waitsAs key of the user, or of all visitors of one, for fairness between them
 * @throws DomainError `forbidden`, `not_found`, `is_folder`, `not_a_file`; `not_supported` for what
 * is not converted; `throttled`; `busy`; `precondition_failed`
 */
export async function paperAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  waitsAs: string,
): Promise<Response> {
  const { req, url, state: { cubby: { papers } } } = ctx;
  const source = papers.source(access, path);
  const { modified, key, name } = source;
  const etag = `"${key.slice(0, 32)}"`;
  const isKeyed = Boolean(url.searchParams.get("k"));
  const headers = new Headers({
    "cache-control": isKeyed ? `private, immutable, max-age=${lifeWithKey}` : "private, no-cache",
    "content-disposition": disposition("inline", `${name.replace(/\.[^.]*$/, "")}.pdf`),
    "content-security-policy": sandboxPolicy(mediaType),
    "content-type": mediaType,
    "etag": etag,
    "last-modified": modified.toUTCString(),
    "x-content-type-options": "nosniff",
  });
  const unchanged = notModified(req, { etag, modified }, headers, "preview");
  if (unchanged) return unchanged;
  if (req.method === "HEAD") return new Response(null, { headers });
  const bytes = await papers.make(source, waitsAs, req.signal);
  await reserveMemory(ctx, bytes.length);
  return new Response(bytesBody(bytes, headers), { headers });
}
