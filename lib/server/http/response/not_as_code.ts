import { DomainError } from "../../../shared/errors.ts";

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
