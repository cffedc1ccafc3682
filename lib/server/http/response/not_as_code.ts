import { DomainError } from "../../../shared/errors.ts";

/** What a browser asks for to run it, or to lay out a page by it, rather than to show it. */
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
 * Refuses to hand out a file as code of a page. Our pages may load scripts from our own origin, and
 * uploaded files lie on it: without this, one injected tag could run a file that somebody uploaded.
 *
 * @throws DomainError `forbidden`
 */
export function refuseAsCode(req: Request): void {
  const destination = req.headers.get("sec-fetch-dest");
  if (destination === null || !CODE.has(destination)) return;
  throw new DomainError("forbidden", `Cannot send the file: it is no ${destination} of a page`);
}
