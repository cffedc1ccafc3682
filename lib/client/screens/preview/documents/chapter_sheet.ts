import { parse, sanitize, withoutRefused } from "../safe_sheet.ts";
import { resolvePart } from "./book_parts.ts";
import { parseLeniently } from "./lenient_xml.ts";

/** Resolves what a document names. */
export interface SheetContext {
  /** The path of the chapter in its archive; null for a document without parts. */
  path: string | null;
  /** The address of a picture in the archive. */
  pictureOf?: (path: string) => string;
  /** The path of a part as the archive spells it; null where there is none. */
  find?: (path: string) => string | null;
}

/** Attribute of links to another chapter, with its path. */
export const CHAPTER = "data-chapter";

/**
 * A chapter of a book, or another document that a library made into HTML, as one element: sanitized
 * like Markdown, without scripts, styles and forms. Pictures come from its own archive alone; links
 * to other sites open apart, and nothing is loaded from there.
 */
export function documentSheet(html: string, context: SheetContext): HTMLElement {
  const sheet = context.path === null ? parse(withoutRefused(html)) : parseLeniently(html);
  for (const head of sheet.querySelectorAll("title, style, script, template")) head.remove();
  for (const image of sheet.querySelectorAll("image")) showImage(image);
  sanitize(sheet);
  for (const link of sheet.querySelectorAll("a")) lead(link, context);
  for (const image of sheet.querySelectorAll("img")) show(image, context);
  for (const box of sheet.querySelectorAll("input")) box.remove();
  for (const named of sheet.querySelectorAll("[id]")) named.removeAttribute("id");
  sheet.className = "markdown__text";
  sheet.dir = "auto";
  return sheet;
}

/** A picture that is wrapped in SVG, as covers are, becomes a plain one. */
function showImage(image: Element): void {
  const address = image.getAttribute("href") ??
    image.getAttributeNS("http://www.w3.org/1999/xlink", "href");
  const plain = image.ownerDocument.createElementNS("http://www.w3.org/1999/xhtml", "img");
  if (address) plain.setAttribute("src", address);
  (image.closest("svg") ?? image).replaceWith(plain);
}

function lead(link: HTMLAnchorElement, context: SheetContext): void {
  const address = link.getAttribute("href") ?? "";
  link.removeAttribute("href");
  if (/^(https?|mailto|tel):/i.test(address)) {
    link.setAttribute("href", address);
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer");
    return;
  }
  const chapter = address === "" ? null : partOf(address, context);
  if (chapter === null) return;
  link.setAttribute("href", "#");
  link.setAttribute(CHAPTER, chapter);
}

/** The path of the part of the same archive that an address leads to. */
function partOf(address: string, { path, find }: SheetContext): string | null {
  const part = path === null ? null : resolvePart(path, address);
  return part !== null && find ? find(part) : part;
}

function show(image: HTMLImageElement, context: SheetContext): void {
  const address = image.getAttribute("src") ?? "";
  if (!image.hasAttribute("alt")) image.setAttribute("alt", "");
  if (/^data:image\//i.test(address)) return;
  const part = partOf(address, context);
  if (part === null || !context.pictureOf) return image.replaceWith(image.alt);
  image.setAttribute("loading", "lazy");
  image.setAttribute("src", context.pictureOf(part));
}
