import type { ReadableFile } from "../../access/file_handle.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { ContentInfo, OpenContent } from "../../files/content/open_content.ts";
import { type ByteRange, contentRange, lengthOf, readRange } from "./byte_ranges.ts";
import { disposition } from "./disposition.ts";
import { errorResponse } from "./error_response.ts";
import { multipartRanges } from "./multipart_ranges.ts";
import { judge, rangeApplies } from "../request/preconditions.ts";
import { sandboxPolicy } from "./sandbox.ts";

/**
 * Answers a GET or HEAD with a file: conditional (RFC 9110, 13), in whole, one range or several
 * (RFC 9110, 14). An open file is closed when the last byte is sent, when the client goes away, and
 * at once when no byte is wanted.
 *
 * @param content an open file for GET; what is told about it is enough for HEAD
 * @param options.inline shows it in the browser, in a sandbox, rather than saving it
 * @throws DomainError `precondition_failed`
 */
export async function sendFile(
  req: Request,
  content: ContentInfo | OpenContent,
  options: { inline: boolean },
): Promise<Response> {
  const file = "file" in content ? content.file : undefined;
  let sent = false;
  try {
    const answer = await answerWith(req, content, file, options.inline);
    sent = file !== undefined && answer.body !== null && answer.ok;
    return answer;
  } finally {
    if (!sent) file?.close();
  }
}

async function answerWith(
  req: Request,
  content: ContentInfo,
  file: ReadableFile | undefined,
  inline: boolean,
): Promise<Response> {
  const { size } = content;
  const headers = headersOf(content, inline);

  const verdict = judge(req.headers, content);
  if (verdict === "not_modified") return new Response(null, { status: 304, headers });
  if (verdict === "failed") {
    throw new DomainError("precondition_failed", "Cannot send the file: it is another by now");
  }

  const type = withCharset(content.mediaType);
  headers.set("content-type", type);
  headers.set("content-length", String(size));
  if (!file) return new Response(null, { headers });

  const ranges = rangeApplies(req.headers, content)
    ? readRange(req.headers.get("range"), size)
    : "whole";
  if (ranges === "none") return beyondTheEnd(req, size);
  if (ranges === "whole") return new Response(file.readable, { headers });
  const [only, second] = ranges;
  if (only && !second) return await oneRange(file, only, size, headers);

  const parts = multipartRanges(file, ranges, size, type);
  headers.set("content-type", parts.type);
  headers.set("content-length", String(parts.length));
  return new Response(parts.body, { status: 206, headers });
}

/**
 * The file's own stream keeps Deno's native path from disk to socket; any stream of ours in between
 * costs a third of the speed. The server stops at `Content-Length`, so the stream may be longer.
 */
async function oneRange(
  file: ReadableFile,
  range: ByteRange,
  size: number,
  headers: Headers,
): Promise<Response> {
  await file.seek(range.start, Deno.SeekMode.Start);
  headers.set("content-range", contentRange(range, size));
  headers.set("content-length", String(lengthOf(range)));
  return new Response(file.readable, { status: 206, headers });
}

function beyondTheEnd(req: Request, size: number): Response {
  const refusal = new DomainError(
    "range_not_satisfiable",
    `Cannot send the range: the file has ${size} bytes`,
  );
  return errorResponse(refusal, req, { "content-range": `bytes */${size}` });
}

/** Text is taken for UTF-8; a browser would otherwise guess, and differently in each country. */
function withCharset(mediaType: string): string {
  return /^text\/[^;]+$/.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
}

function headersOf(content: ContentInfo, inline: boolean): Headers {
  return new Headers({
    "accept-ranges": "bytes",
    // May be kept, but is asked for again: the right to read it may be gone by then.
    "cache-control": "private, no-cache",
    "content-disposition": disposition(inline ? "inline" : "attachment", content.name),
    "content-security-policy": sandboxPolicy(content.mediaType),
    "etag": content.etag,
    "last-modified": content.modified.toUTCString(),
    "x-content-type-options": "nosniff",
  });
}
