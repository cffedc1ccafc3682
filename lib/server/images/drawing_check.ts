import { NoPreview } from "./no_preview.ts";

/** More text than this is refused, in bytes. */
const mostBytes = 2 * 2 ** 20;

const alien = new NoPreview("the drawing refers to something outside of it");

/**
 * Makes sure that a drawing (SVG) stands for itself: it may refer to its own parts and to nothing
 * else. Whoever draws it would otherwise have to be trusted not to fetch `file:///etc/passwd`, an
 * address in the server's network. Photographs may be part of it, as data.
 *
 * What is not understood is refused: the price is that some harmless drawings have no preview, such
 * as those with links in them.
 *
 * @returns the text that was checked, without its XML declaration and document type
 * @throws NoPreview
 */
export function checkDrawing(bytes: Uint8Array): string {
  const text = withoutProlog(decode(bytes));
  if (isOpen(text) || isOpen(withoutEscapes(text))) throw alien;
  return text;
}

/** UTF-8 only, so that whoever parses it sees the characters that are checked here. */
function decode(bytes: Uint8Array): string {
  if (bytes.length > mostBytes) throw new NoPreview("the drawing is too long");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new NoPreview("the drawing is not in UTF-8");
  }
}

/** A document type is taken out when it only names one; one with entities of its own is refused. */
function withoutProlog(text: string): string {
  return text.trimStart().replace(/^<\?xml\s[^?<>]*\?>/, "").replace(/<!DOCTYPE[^<>[\]]*>/, "");
}

/** Characters written as numbers are read as what they are: `&#117;rl(…)`. */
function withoutEscapes(text: string): string {
  return text.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

function isOpen(text: string): boolean {
  return mayHideWords.test(text) || instruction.test(text) || inclusion.test(text) ||
    /@import/i.test(text) || hasAlienReference(text) || hasAlienUrl(text);
}

/** Entities, other document types, and the escapes of style sheets: `\75rl(…)`. */
const mayHideWords = /\\|<!(?!--|\[CDATA\[)/;
/** Such as `<?xml-stylesheet href="…"?>`. */
const instruction = /<\?/;
/** XInclude, by whatever prefix. */
const inclusion = /<(?:[^\s<>/:]*:)?(?:include|import)(?=[\s/>])/i;
/** `href`, `xlink:href`, `src`, `xml:base`, by whatever prefix. */
const reference = /[\s"'](?:[^\s=<>"':]*:)?(?:href|src|base)\s*=\s*(?:"([^"]*)"|'([^']*)'|)/gi;
const url = /url\s*\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))/gi;

/** A part of the drawing itself, or a photograph in it: no entity can make something else of it. */
const ownPart = /^\s*(?:#[^&]*|data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=\s]*)$/;

function hasAlienReference(text: string): boolean {
  return [...text.matchAll(reference)].some(([, double, single]) =>
    !ownPart.test(double ?? single ?? "")
  );
}

function hasAlienUrl(text: string): boolean {
  return [...text.matchAll(url)].some(([, double, single, bare]) =>
    !ownPart.test(double ?? single ?? bare ?? "")
  );
}
