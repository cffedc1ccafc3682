import { type EntryPath, parentOf, parseUrlPath } from "../../shared/path.ts";

/** What an address in a document means. */
export type Target =
  /** An entry of ours, with what follows "#". */
  | { is: "entry"; at: EntryPath; folder: boolean; hash: string }
  /** A place in the document itself. */
  | { is: "place"; name: string }
  /** Another site, or an address to write to. */
  | { is: "elsewhere"; href: string }
  /** Nothing that may be followed. */
  | { is: "nothing" };

/** What may be followed out of a document. */
const SAFE = /^(https?|mailto|tel):/i;

/** Stands for this site; no address of a document names it. */
const HERE = "http://here.invalid";

/**
 * What an address in a document means: relative ones count from the document's folder, ones that
 * begin with a slash from the top.
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

/** An address without its percent signs; as it is when they stand for no text. */
export function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The name that a heading can be linked by: "What it does" -> "what-it-does". */
export function slugOf(heading: string): string {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}
