import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { ContentInfo } from "../../files/content/open_content.ts";
import type { ConvertedSubtitles } from "../../files/subtitles/convert.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { bytesBody } from "./page_stream.ts";
import { evaluateConditions } from "../request/preconditions.ts";
import { sandboxPolicy } from "./downloads.ts";

/** Memory of converted subtitles for each byte of the file. */
const heldPerByte = 2;

/**
 * Answers a GET or HEAD with converted subtitles; they are not converted for HEAD, nor for a client
 * that has them cached.
 *
 * @param known of the file, without converting it
 * @throws DomainError `precondition_failed`, `busy`, and what the conversion throws
 */
export async function subtitlesAnswer(
  ctx: Context<State>,
  known: ContentInfo,
  convert: () => Promise<ConvertedSubtitles>,
): Promise<Response> {
  const { req } = ctx;
  const headers = new Headers({
    // Cached, but revalidated: the permission to read it may be gone by then.
    "cache-control": "private, no-cache",
    "content-security-policy": sandboxPolicy(known.mediaType),
    "etag": known.etag,
    "last-modified": known.modified.toUTCString(),
    "x-content-type-options": "nosniff",
  });
  const result = evaluateConditions(req.headers, known);
  if (result === "not_modified") return new Response(null, { status: 304, headers });
  if (result === "failed") {
    throw new DomainError("precondition_failed", "Cannot send the subtitles: they have changed");
  }
  headers.set("content-type", known.mediaType);
  if (req.method === "HEAD") return new Response(null, { headers });

  await reserveMemory(ctx, known.size * heldPerByte);
  const { vtt, etag, modified } = await convert();
  headers.set("etag", etag);
  headers.set("last-modified", modified.toUTCString());
  return new Response(bytesBody(vtt, headers), { headers });
}
