import { DomainError } from "../errors.ts";
import { type ByteRange, contentRange, lengthOf, readRange } from "./byte_ranges.ts";
import { disposition } from "./disposition.ts";
import { errorResponse } from "./error_response.ts";
import { multipartRanges } from "./multipart_ranges.ts";
import { judge, rangeApplies } from "./preconditions.ts";
import { sandboxPolicy } from "./sandbox.ts";

/** An open file and what is told about it. Whoever gets one has to send or close it. */
export interface Content {
  file: Deno.FsFile;
  /** In bytes. */
  size: number;
  modified: Date;
  /** With its quotes. */
  etag: string;
  /** What it is called when it is saved. */
  name: string;
  /** Its content type. */
  type: string;
}

/**
 * Answers a GET or HEAD with an open file: conditional (RFC 9110, 13), in whole, one range or
 * several (RFC 9110, 14). The file is closed when the last byte is sent, when the client goes away,
 * and at once when no byte is wanted.
 *
 * @param options.inline shows it in the browser, in a sandbox, rather than saving it
 */
export async function sendFile(
  req: Request,
  content: Content,
  options: { inline: boolean },
): Promise<Response> {
  try {
    return await answer(req, content, options.inline);
  } catch (error) {
    closeQuietly(content.file);
    throw error;
  }
}

async function answer(req: Request, content: Content, inline: boolean): Promise<Response> {
  const { file, size, type } = content;
  const headers = headersOf(content, inline);

  const verdict = judge(req.headers, content);
  if (verdict !== "go_on") file.close();
  if (verdict === "not_modified") return new Response(null, { status: 304, headers });
  if (verdict === "failed") {
    throw new DomainError("precondition_failed", "Cannot send the file: it is another by now");
  }

  const head = req.method === "HEAD";
  const wanted = !head && rangeApplies(req.headers, content)
    ? readRange(req.headers.get("range"), size)
    : "whole";
  if (wanted === "none") {
    file.close();
    const refusal = new DomainError(
      "range_not_satisfiable",
      `Cannot send the range: the file has ${size} bytes`,
    );
    return errorResponse(refusal, req, { "content-range": `bytes */${size}` });
  }

  headers.set("content-type", type);
  headers.set("content-length", String(size));
  if (head) {
    file.close();
    return new Response(null, { headers });
  }
  if (wanted === "whole") return new Response(file.readable, { headers });
  const [only, second] = wanted;
  if (only && !second) return await oneRange(content, only, headers);

  const parts = multipartRanges(file, wanted, size, type);
  headers.set("content-type", parts.type);
  headers.set("content-length", String(parts.length));
  return new Response(parts.body, { status: 206, headers });
}

/**
 * The file's own stream keeps Deno's native path from disk to socket; any stream of ours in between
 * costs a third of the speed. The server stops at `Content-Length`, so the stream may be longer.
 */
async function oneRange(content: Content, range: ByteRange, headers: Headers): Promise<Response> {
  await content.file.seek(range.start, Deno.SeekMode.Start);
  headers.set("content-range", contentRange(range, content.size));
  headers.set("content-length", String(lengthOf(range)));
  return new Response(content.file.readable, { status: 206, headers });
}

function headersOf(content: Content, inline: boolean): Headers {
  return new Headers({
    "accept-ranges": "bytes",
    // May be kept, but is asked for again: the right to read it may be gone by then.
    "cache-control": "private, no-cache",
    "content-disposition": disposition(inline ? "inline" : "attachment", content.name),
    "content-security-policy": sandboxPolicy(content.type),
    "etag": content.etag,
    "last-modified": content.modified.toUTCString(),
    "x-content-type-options": "nosniff",
  });
}

function closeQuietly(file: Deno.FsFile): void {
  try {
    file.close();
  } catch {
    // It was closed before the failure.
  }
}
