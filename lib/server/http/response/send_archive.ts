import { DomainError } from "../../../shared/errors.ts";
import type { OpenArchive } from "../../features/archive/archives.ts";
import type { ArchiveFacts } from "../../features/archive/order.ts";
import type { ByteRange } from "./byte_ranges.ts";
import { chooseRanges, downloadHeaders, notModified, setRange } from "./downloads.ts";

/** Name and headers of an archive. */
export interface ArchiveLabel {
  /** With its extension. */
  name: string;
  mediaType: string;
  /** Whether ranges of it can be requested, if not of this response, then later. */
  isResumable: boolean;
}

/**
 * Answers a GET or HEAD with an open archive. A planned one supports conditions, has a length, and
 * is sent in whole or as one range; for several ranges the whole is sent, which RFC 9110 (14.2)
 * leaves to the server. Others are streamed without a length. An error after the headers aborts the
 * connection.
 *
 * @param onFailure called with the error that aborted the connection
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
    // Deno logs it, too: for an error that is not the server's, a sentence is enough.
    return error instanceof DomainError ? error.message : error;
  }

  function answer(status: number, headers: Headers, part: ByteRange | null): Response {
    isSent = req.method !== "HEAD";
    const body = isSent ? download.read(part, { onBreak }) : null;
    return new Response(body, { status, headers });
  }

  try {
    const headers = downloadHeaders(label, { ranges: label.isResumable });
    headers.set("content-type", label.mediaType);
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
  // Archives have no date: conditions with one are ignored.
  const validators = { etag, modified: new Date(NaN) };
  const unchanged = notModified(req, validators, headers, "archive");
  if (unchanged) return unchanged;
  headers.set("content-length", String(size));
  const ranges = req.method === "GET" ? chooseRanges(req, validators, size, "archive") : "whole";
  if (ranges instanceof Response) return ranges;
  const [range, second] = ranges === "whole" ? [] : ranges;
  if (!range || second) return answer(200, headers, null);
  setRange(headers, range, size);
  return answer(206, headers, range);
}
