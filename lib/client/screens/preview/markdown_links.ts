import { type EntryPath, parentOf, parseUrlPath } from "../../../shared/path.ts";

/** The target of an address in a document. */
export type Target =
  /** An entry of this site, with the fragment. */
  | { is: "entry"; at: EntryPath; folder: boolean; hash: string }
  /** A fragment of the document itself. */
  | { is: "place"; name: string }
  /** Another site, or a mail address. */
  | { is: "elsewhere"; href: string }
  /** Not to be followed. */
  | { is: "nothing" };

/** Schemes of links that lead out of a document. */
const SAFE = /^(https?|mailto|tel):/i;

/** Placeholder of this site; no address of a document names it. */
const HERE = "http://here.invalid";

/**
 * Resolves an address in a document: relative to the document's folder, with a leading slash to the
 * root.
 *
 * @param document the path of the document
 */
export function targetOf(href: string, document: EntryPath): Target {
  if (href.startsWith("#")) return { is: "place", name: href.slice(1) };
  if (SAFE.test(href)) return { is: "elsewhere", href };
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//")) return { is: "nothing" };
  try {
    const folder = parentOf(document).split("/").map(encodeURIComponent).join("/");
    const { origin, pathname, hash } = new URL(href, `${HERE}${folder.replace(/\/?$/, "/")}`);
    if (origin !== HERE) return { is: "nothing" };
    const { path, folder: isFolder } = parseUrlPath(pathname);
    return { is: "entry", at: path, folder: isFolder, hash };
  } catch {
    return { is: "nothing" };
  }
}

/** A percent-decoded address; unchanged when it is malformed. */
export function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The slug of a heading: "What it does" -> "what-it-does". */
export function slugOf(heading: string): string {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}
