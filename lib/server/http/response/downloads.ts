import { DomainError } from "../../../shared/errors.ts";
import { type ByteRange, contentRange, lengthOf, readRange } from "./byte_ranges.ts";
import { errorResponse } from "./error_response.ts";
import { evaluateConditions, rangeApplies, type Validators } from "../request/preconditions.ts";
import { wellFormedName } from "../../../shared/entry_names.ts";

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

/**
 * The value of `Content-Disposition` for a file's name (RFC 6266): `filename` in plain ASCII for
 * old clients, `filename*` with the whole name in UTF-8 (RFC 8187).
 *
 * Names are untrusted. Quotes, backslashes, line ends and everything outside ASCII are replaced in
 * the former and percent-encoded in the latter, so that no name can end the value or inject a
 * header. Bytes that are not UTF-8 appear in neither.
 */
export function disposition(kind: "attachment" | "inline", name: string): string {
  const shown = wellFormedName(name);
  const plain = shown.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeExtended(shown)}`;
}

/** Percent-encodes all but the attribute characters of RFC 8187. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/['()*]/g, (character) => "%" + character.charCodeAt(0).toString(16).toUpperCase());
}

/** Nothing is loaded and nothing runs; the file itself may still be shown and played. */
const LOADS_NOTHING = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

/**
 * Types that cannot contain a page's script. The browser's own viewers and players need the page's
 * origin: a player fetches the file again, and without it sends no cookie.
 */
const VIEWED_BY_THE_BROWSER = /^(?:(?:audio|video)\/.*|application\/pdf)$/;

/**
 * The `Content-Security-Policy` of a file served at its own URL. An uploaded page or SVG would
 * otherwise run scripts with the rights of the user who opens it (stored XSS).
 *
 * @param type the file's content type
 */
export function sandboxPolicy(type: string): string {
  const essence = type.split(";")[0]?.trim().toLowerCase() ?? "";
  const sandbox = VIEWED_BY_THE_BROWSER.test(essence)
    ? "sandbox allow-same-origin allow-scripts"
    : "sandbox";
  return `${sandbox}; ${LOADS_NOTHING}`;
}

/** Values of `Sec-Fetch-Dest` with which a browser runs a file or applies it to a page. */
const CODE = new Set([
  "audioworklet",
  "manifest",
  "paintworklet",
  "script",
  "serviceworker",
  "sharedworker",
  "style",
  "worker",
  "xslt",
]);

/**
 * Refuses to serve a file as code of a page. Our pages may load scripts from our own origin, which
 * also serves uploads: without this, one injected tag could run an uploaded file.
 *
 * @throws DomainError `forbidden`
 */
export function refuseAsCode(req: Request): void {
  const destination = req.headers.get("sec-fetch-dest");
  if (destination === null || !CODE.has(destination)) return;
  throw new DomainError("forbidden", `Cannot send the file: it is not a ${destination} of a page`);
}

const encoder = new TextEncoder();

/** Lines that are sent together. */
const linesPerBatch = 200;

/** Answers with a file of lines that are made while it is sent, only as fast as the client takes them. */
export function linesAnswer(
  lines: AsyncGenerator<string>,
  { type, name }: { type: string; name: string },
): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = "";
      for (let count = 0; count < linesPerBatch; count++) {
        const { done, value } = await lines.next();
        if (done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          return controller.close();
        }
        text += `${value}\n`;
      }
      controller.enqueue(encoder.encode(text));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  const headers = { "content-type": type, "content-disposition": disposition("attachment", name) };
  return new Response(body, { headers });
}
