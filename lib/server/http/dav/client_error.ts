import { escapeXml, xmlDeclaration } from "../../features/dav/xml/write_xml.ts";
import type { ErrorCode } from "../../../shared/errors.ts";
import { errorResponse, refusalOf } from "../response/error_response.ts";

/**
 * The names by which clients of Nextcloud and ownCloud know errors: classes of SabreDAV, and of
 * Nextcloud where those are more exact.
 */
const exceptions: Record<number, string> = {
  400: "Sabre\\DAV\\Exception\\BadRequest",
  401: "Sabre\\DAV\\Exception\\NotAuthenticated",
  403: "Sabre\\DAV\\Exception\\Forbidden",
  404: "Sabre\\DAV\\Exception\\NotFound",
  405: "Sabre\\DAV\\Exception\\MethodNotAllowed",
  409: "Sabre\\DAV\\Exception\\Conflict",
  412: "Sabre\\DAV\\Exception\\PreconditionFailed",
  413: "OCA\\DAV\\Connector\\Sabre\\Exception\\EntityTooLarge",
  415: "Sabre\\DAV\\Exception\\UnsupportedMediaType",
  416: "Sabre\\DAV\\Exception\\RequestedRangeNotSatisfiable",
  423: "Sabre\\DAV\\Exception\\Locked",
  429: "OCA\\DAV\\Connector\\Sabre\\Exception\\TooManyRequests",
  501: "Sabre\\DAV\\Exception\\NotImplemented",
  502: "OCA\\DAV\\Connector\\Sabre\\Exception\\BadGateway",
  503: "Sabre\\DAV\\Exception\\ServiceUnavailable",
  507: "Sabre\\DAV\\Exception\\InsufficientStorage",
};

/** The name of an error of which clients know nothing more. */
const otherException = "Sabre\\DAV\\Exception";

/** A name that is refused for itself: phone apps tell their users so, and do not send it again. */
const invalidPath = "OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath";
const badNames: readonly ErrorCode[] = ["invalid_name", "invalid_path"];

/** Statuses of codes at the addresses of clients, where they differ from those of the API. */
const clientStatuses: Partial<Record<ErrorCode, number>> = {
  checksum_mismatch: 400,
  // With the words below they leave alone what they have of a disk that is away.
  disk_away: 503,
  disk_timeout: 503,
};

/** By these words desktop clients know that a disk is away, and not the server in maintenance. */
const awayText = "Storage is temporarily not available";

/** What an answer has besides the error's own status. */
export interface ErrorForm {
  headers?: Record<string, string>;
  /** In place of the status of the error's code. */
  status?: number;
  /** The precondition that did not hold, as an element (RFC 4918, 16). */
  condition?: string;
}

/**
 * Answers a failed request of a client that syncs, in the form of SabreDAV: clients show the message
 * and decide by the status and the name whether they try again.
 */
export function clientErrorResponse(error: unknown, req: Request, form: ErrorForm = {}): Response {
  const { code, message } = refusalOf(error, req);
  const { status: own, headers } = errorResponse(error, req, form.headers);
  const isAway = code === "disk_away" || code === "disk_timeout";
  const status = form.status ?? clientStatuses[code] ?? own;
  const name = badNames.includes(code) ? invalidPath : exceptions[status] ?? otherException;
  const text = isAway ? `${awayText}: ${message}` : message;
  headers.set("content-type", "application/xml; charset=utf-8");
  headers.delete("content-length");
  const body = `${xmlDeclaration}<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">\n` +
    `  <s:exception>${escapeXml(name)}</s:exception>\n` +
    `  <s:message>${escapeXml(text)}</s:message>\n${form.condition ?? ""}</d:error>\n`;
  return new Response(req.method === "HEAD" ? null : body, { status, headers });
}
