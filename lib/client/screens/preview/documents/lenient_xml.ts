import { decoderOf } from "../../../../shared/text_decoder.ts";
import { parse, withoutRefused } from "../safe_sheet.ts";

/** Elements that are empty in HTML: the slash that closes them at once changes nothing. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

const CDATA = /<!\[CDATA\[([^]*?)\]\]>/g;

const CLOSED = /<([a-z][\w:.-]*)([^<>]*)\/>/gi;

/**
 * Decodes a part of a book: by its byte order mark, as UTF-8 where it is that, else by the encoding
 * that it declares or that the server has found.
 */
export function decodePart(bytes: Uint8Array, found: string | null = null): string {
  const [first, second, third] = bytes;
  const isBig = first === 0xfe && second === 0xff || first === 0 && second === 0x3c;
  const isLittle = first === 0xff && second === 0xfe || first === 0x3c && second === 0;
  const isWide = (isLittle && third === 0) || (first === 0 && second === 0);
  if (isWide) return decodeUnicode(`utf-32${isLittle ? "le" : "be"}`, bytes);
  if (isBig || isLittle) return decodeUnicode(isBig ? "utf-16be" : "utf-16le", bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
    const [, label = "utf-8"] = /<\?xml[^>]*?encoding\s*=\s*["']?([\w.:-]+)/i.exec(head) ??
      /<meta[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ?? [];
    const isWrong = /^(?:utf-?(?:8|16)|ucs-?2|iso-10646|us-ascii)/i.test(label);
    return decoderFor(isWrong && found !== null ? found : label).decode(bytes);
  }
}

function decodeUnicode(encoding: string, bytes: Uint8Array): string {
  return decoderOf(encoding).decode(bytes).replace(/^\ufeff/, "");
}

/** A part in UTF-16 would have been known by its first bytes, so that this declaration is wrong. */
function decoderFor(label: string): Pick<TextDecoder, "decode"> {
  try {
    return decoderOf(/^(?:utf-?16|ucs-?2|iso-10646)/i.test(label) ? "utf-8" : label);
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
  const opened = withoutRefused(withoutDoctype(text.slice(start)))
    .replace(CDATA, (_, plain: string) => plain.replace(/&/g, "&amp;").replace(/</g, "&lt;"))
    .replace(
      CLOSED,
      (tag, name: string, rest: string) => VOID.test(name) ? tag : `<${name}${rest}></${name}>`,
    );
  return parse(opened);
}

const DOCTYPE = /<!DOCTYPE[^[>]*(?:\[([^\]]*)\]\s*)?>/i;
const ENTITY = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"&<]{0,200})"|'([^'&<]{0,200})')\s*>/g;

/** HTML knows no entities of a document's own: the plain ones are written out, each once. */
function withoutDoctype(text: string): string {
  const [doctype = "", declared = ""] = DOCTYPE.exec(text) ?? [];
  const values = new Map(
    [...declared.matchAll(ENTITY)].map(([, name = "", one, other]) => [name, one ?? other ?? ""]),
  );
  const rest = text.replace(doctype, "");
  if (values.size === 0) return rest;
  return rest.replace(/&([\w.-]+);/g, (whole, name: string) => values.get(name) ?? whole);
}

/** The elements of a name below a node, whatever its prefix. */
export function elements(node: Element, name: string): Element[] {
  const plain = name.toLowerCase();
  return [...node.querySelectorAll("*")]
    .filter(({ localName }) => localName.replace(/^.*:/, "").toLowerCase() === plain);
}
