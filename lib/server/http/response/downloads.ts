import { DomainError } from "../../../shared/errors.ts";
import { type ByteRange, contentRange, lengthOf, readRange } from "./byte_ranges.ts";
import { disposition } from "./disposition.ts";
import { errorResponse } from "./error_response.ts";
import { evaluateConditions, rangeApplies, type Validators } from "../request/preconditions.ts";
import { sandboxPolicy } from "./sandbox.ts";

/** The headers common to files and archives; with a sandbox for those shown in the browser. */
export function downloadHeaders(
  { name, mediaType }: { name: string; mediaType: string },
  options: { inline?: boolean; ranges?: boolean } = {},
): Headers {
  return new Headers({
    "accept-ranges": options.ranges === false ? "none" : "bytes",
    // Cached, but revalidated: the permission to read it may be gone by then.
    "cache-control": "private, no-cache",
    "content-disposition": disposition(options.inline ? "inline" : "attachment", name),
    "content-security-policy": sandboxPolicy(mediaType),
    "x-content-type-options": "nosniff",
  });
}

/**
 * Evaluates the preconditions of a GET or HEAD.
 *
 * @param noun of the content, for the message: "file"
 * @returns 304 with these headers, or null when the content is to be sent
 * @throws DomainError `precondition_failed`
 */
export function notModified(
  req: Request,
  validators: Validators,
  headers: Headers,
  noun: string,
): Response | null {
  const result = evaluateConditions(req.headers, validators);
  if (result === "not_modified") return new Response(null, { status: 304, headers });
  if (result === "proceed") return null;
  throw new DomainError("precondition_failed", `Cannot send the ${noun}: it has changed`);
}

/**
 * The ranges that a GET asks for (RFC 9110, 14).
 *
 * @param noun of the content, for the message: "file"
 * @returns `"whole"` without ranges that count, or the answer 416 when all lie beyond the end
 */
export function chooseRanges(
  req: Request,
  validators: Validators,
  size: number,
  noun: string,
): ByteRange[] | "whole" | Response {
  if (!rangeApplies(req.headers, validators)) return "whole";
  const ranges = readRange(req.headers.get("range"), size);
  if (ranges !== "none") return ranges;
  const refusal = new DomainError(
    "range_not_satisfiable",
    `Cannot send the range: the ${noun} has ${size} bytes`,
  );
  return errorResponse(refusal, req, { "content-range": `bytes */${size}` });
}

/** Sets the headers of an answer (206) with one range. */
export function setRange(headers: Headers, range: ByteRange, size: number): void {
  headers.set("content-range", contentRange(range, size));
  headers.set("content-length", String(lengthOf(range)));
}
