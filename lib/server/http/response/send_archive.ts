import type { OpenArchive } from "../../archive/archives.ts";
import type { ArchiveFacts } from "../../archive/order.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type ByteRange, contentRange, lengthOf, readRange } from "./byte_ranges.ts";
import { disposition } from "./disposition.ts";
import { errorResponse } from "./error_response.ts";
import { judge, rangeApplies } from "../request/preconditions.ts";
import { sandboxPolicy } from "./sandbox.ts";

/** How an archive is called and told of. */
export interface ArchiveLabel {
  /** With its extension. */
  name: string;
  mediaType: string;
  /** Parts of it may be asked for, if not of this answer, then in the next request. */
  isResumable: boolean;
}

/**
 * Answers a GET or HEAD with an archive that was opened for it. A planned one is conditional, has a
 * length, and is sent in whole or as one range; several ranges come as the whole, which RFC 9110
 * (14.2) leaves to the server. Others are streamed without a length. Whatever fails after the
 * headers breaks the connection.
 *
 * @param onFailure is told why the connection broke
 * @throws DomainError `precondition_failed`
 */
export function sendArchive(
  req: Request,
  { facts, download }: OpenArchive,
  label: ArchiveLabel,
  onFailure: (error: unknown) => void,
): Response {
  let isSent = false;

  function onBreak(error: unknown): unknown {
    onFailure(error);
    // Deno logs it, too: of what is no fault of the server's, a sentence is enough.
    return error instanceof DomainError ? error.message : error;
  }

  function answer(status: number, headers: Headers, part: ByteRange | null): Response {
    isSent = req.method !== "HEAD";
    const body = isSent ? download.read(part, { onBreak }) : null;
    return new Response(body, { status, headers });
  }

  try {
    const headers = headersOf(label);
    return facts ? plannedAnswer(req, facts, headers, answer) : answer(200, headers, null);
  } finally {
    if (!isSent) download.cancel();
  }
}

function plannedAnswer(
  req: Request,
  { size, etag }: ArchiveFacts,
  headers: Headers,
  answer: (status: number, headers: Headers, part: ByteRange | null) => Response,
): Response {
  headers.set("etag", etag);
  // Archives have no date: conditions that name one are as if they were not there.
  const validators = { etag, modified: new Date(NaN) };
  const verdict = judge(req.headers, validators);
  if (verdict === "not_modified") return new Response(null, { status: 304, headers });
  if (verdict === "failed") {
    throw new DomainError("precondition_failed", "Cannot send the archive: it is another by now");
  }
  headers.set("content-length", String(size));
  const isPartial = req.method === "GET" && rangeApplies(req.headers, validators);
  const ranges = isPartial ? readRange(req.headers.get("range"), size) : "whole";
  if (ranges === "none") return beyondTheEnd(req, size);
  const [range, second] = ranges === "whole" ? [] : ranges;
  if (!range || second) return answer(200, headers, null);
  headers.set("content-range", contentRange(range, size));
  headers.set("content-length", String(lengthOf(range)));
  return answer(206, headers, range);
}

function beyondTheEnd(req: Request, size: number): Response {
  const refusal = new DomainError(
    "range_not_satisfiable",
    `Cannot send the range: the archive has ${size} bytes`,
  );
  return errorResponse(refusal, req, { "content-range": `bytes */${size}` });
}

function headersOf({ name, mediaType, isResumable }: ArchiveLabel): Headers {
  return new Headers({
    "accept-ranges": isResumable ? "bytes" : "none",
    // May be kept, but is asked for again: the right to read it may be gone by then.
    "cache-control": "private, no-cache",
    "content-disposition": disposition("attachment", name),
    "content-security-policy": sandboxPolicy(mediaType),
    "content-type": mediaType,
    "x-content-type-options": "nosniff",
  });
}
