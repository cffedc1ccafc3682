import { parse, withoutRefused } from "../safe_sheet.ts";

/** Elements that are empty in HTML: the slash that closes them at once changes nothing. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

const CDATA = /<!\[CDATA\[([^]*?)\]\]>/g;

const CLOSED = /<([a-z][\w:.-]*)([^<>]*)\/>/gi;

/**
 * Decodes a part of a book: by its byte order mark, else by the encoding that it declares, else as
 * UTF-8.
 */
export function decodePart(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isBig = first === 0xfe && second === 0xff || first === 0 && second === 0x3c;
  const isLittle = first === 0xff && second === 0xfe || first === 0x3c && second === 0;
  if (isBig || isLittle) return new TextDecoder(isBig ? "utf-16be" : "utf-16le").decode(bytes);
  if (first === 0xef && second === 0xbb) return new TextDecoder().decode(bytes);
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  const [, label = "utf-8"] = /<\?xml[^>]*?encoding\s*=\s*["']?([\w.:-]+)/i.exec(head) ??
    /<meta[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ?? [];
  return decoderOf(label).decode(bytes);
}

/** A part in UTF-16 would have been known by its first bytes, so that this declaration is wrong. */
function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(/^(?:utf-?16|ucs-?2|iso-10646)/i.test(label) ? "utf-8" : label);
  } catch {
    return new TextDecoder();
  }
}

/**
 * Parses XML or a page as browsers read HTML: undeclared prefixes, bare ampersands and entities of
 * HTML do no harm, nor do words before the declaration. Nothing of it runs or loads, as it has no
 * window.
 */
export function parseLeniently(text: string): HTMLElement {
  const start = Math.max(0, text.search(/<[?!a-z]/i));
  const opened = withoutRefused(text.slice(start))
    .replace(CDATA, (_, plain: string) => plain.replace(/&/g, "&amp;").replace(/</g, "&lt;"))
    .replace(
      CLOSED,
      (tag, name: string, rest: string) => VOID.test(name) ? tag : `<${name}${rest}></${name}>`,
    );
  return parse(opened);
}

/** The elements of a name below a node, whatever its prefix. */
export function elements(node: Element, name: string): Element[] {
  const plain = name.toLowerCase();
  return [...node.querySelectorAll("*")]
    .filter(({ localName }) => localName.replace(/^.*:/, "").toLowerCase() === plain);
}
