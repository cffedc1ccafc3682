import type { ReadableFile } from "../../core/access/file_handle.ts";
import type { ContentInfo, OpenContent } from "../../files/content/open_content.ts";
import { type ByteRange, lengthOf, multipartRanges } from "./byte_ranges.ts";
import { chooseRanges, downloadHeaders, notModified, setRange } from "./downloads.ts";
import { fileBody } from "./file_body.ts";
import { offloadHeader, type OffloadTarget } from "./offload.ts";

/**
 * Answers a GET or HEAD with a file: conditional (RFC 9110, 13), in whole, one range or several
 * (RFC 9110, 14). An open file is closed when the last byte is sent, when the client disconnects,
 * and at once when no body is sent.
 *
 * @param content an open file for GET; its metadata is enough for HEAD
 * @param options.inline shows it in the browser, in a sandbox, instead of saving it
 * @param options.offload leaves the bytes to a proxy, where that can send them
 * @throws DomainError `precondition_failed`
 */
export async function sendFile(
  req: Request,
  content: ContentInfo | OpenContent,
  options: { inline: boolean; offload?: OffloadTarget | null },
): Promise<Response> {
  const file = "file" in content ? content.file : undefined;
  let sent = false;
  try {
    const answer = await answerWith(req, content, file, options);
    sent = file !== undefined && answer.body !== null && answer.ok;
    return answer;
  } finally {
    if (!sent) file?.close();
  }
}

async function answerWith(
  req: Request,
  content: ContentInfo | OpenContent,
  file: ReadableFile | undefined,
  { inline, offload }: { inline: boolean; offload?: OffloadTarget | null },
): Promise<Response> {
  const { size } = content;
  const headers = downloadHeaders(content, { inline });
  headers.set("etag", content.etag);
  headers.set("last-modified", content.modified.toUTCString());
  const unchanged = notModified(req, content, headers, "file");
  if (unchanged) return unchanged;

  const type = withCharset(content.mediaType);
  headers.set("content-type", type);
  headers.set("content-length", String(size));
  if (!file) return new Response(null, { headers });

  const ranges = chooseRanges(req, content, size, "file");
  if (ranges instanceof Response) return ranges;
  if (offload && "real" in content && content.real && isPlain(req, ranges)) {
    const { real, mediaType } = content;
    const handover = offloadHeader(offload, { req, real, isInline: inline, mediaType });
    if (handover) {
      // Both are the proxy's to tell; nginx would send a second `Accept-Ranges`.
      for (const name of ["content-length", "accept-ranges"]) headers.delete(name);
      headers.set(...handover);
      return new Response(null, { headers });
    }
  }
  if (ranges === "whole") return new Response(fileBody(file, size), { headers });
  const [only, second] = ranges;
  if (only && !second) {
    await file.seek(only.start, Deno.SeekMode.Start);
    setRange(headers, only, size);
    return new Response(fileBody(file, lengthOf(only)), { status: 206, headers });
  }
  const parts = multipartRanges(file, ranges, size, type);
  headers.set("content-type", parts.type);
  headers.set("content-length", String(parts.length));
  return new Response(parts.body, { status: 206, headers });
}

/** Whether a proxy reads the range of a request as this server does: none, or a single one. */
function isPlain(req: Request, ranges: ByteRange[] | "whole"): boolean {
  return ranges === "whole" ? !req.headers.has("range") : ranges.length === 1;
}

/** Text is taken for UTF-8; a browser would otherwise guess, and differently in each country. */
function withCharset(mediaType: string): string {
  return /^text\/[^;]+$/.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
}
