import type { XmlElement } from "./read_xml.ts";

/** The namespace of WebDAV's own names. */
export const davNamespace = "DAV:";

/** The namespaces of the properties of ownCloud's and Nextcloud's clients. */
export const ownCloud = "http://owncloud.org/ns";
export const nextcloud = "http://nextcloud.org/ns";

/** The namespace of Open Collaboration Services, in which one property of shares is. */
export const collaboration = "http://open-collaboration-services.org/ns";

/** The namespace of `xml:lang`, which needs no declaration. */
export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** The first line of a document. */
export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>\n';

/** Characters that XML 1.0 cannot write: most control characters, lone surrogates, two others. */
// deno-lint-ignore no-control-regex
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu;

const special = /[&<>"\r]/g;
const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** What neither pattern matches: printable ASCII without signs; and what the first one does not. */
const plain = /^[ !#-%'-;=?-~]*$/;
const writable = /^[ -~]*$/;

/** A text for the content of an element or the value of an attribute; U+FFFD for what XML lacks. */
export function escapeXml(text: string): string {
  if (plain.test(text)) return text;
  const written = writable.test(text) ? text : text.replace(unwritable, "\ufffd");
  return written.replace(special, (sign) => escapes[sign] ?? sign);
}

/** An element by its name alone: `<D:getetag/>`, `<n:author xmlns:n="urn:books"/>`. */
export function emptyElement({ ns, name }: Pick<XmlElement, "ns" | "name">): string {
  return writeXml({ ns, name, attributes: [], children: [] });
}

/**
 * An element with all that is in it, for a document in which `D` is WebDAV's namespace and no other
 * one is declared: each element declares its own.
 */
export function writeXml({ ns, name, attributes, children }: XmlElement): string {
  const prefix = ns === "" ? "" : ns === davNamespace ? "D:" : "n:";
  let open = `<${prefix}${name}`;
  if (prefix === "n:") open += ` xmlns:n="${escapeXml(ns)}"`;
  for (const [index, attribute] of attributes.entries()) {
    open += writeAttribute(attribute, `a${index}`);
  }
  if (children.length === 0) return `${open}/>`;
  const content = children.map((child) =>
    typeof child === "string" ? escapeXml(child) : writeXml(child)
  );
  return `${open}>${content.join("")}</${prefix}${name}>`;
}

function writeAttribute(
  { ns, name, value }: XmlElement["attributes"][number],
  prefix: string,
): string {
  const text = `="${escapeXml(value).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;")}"`;
  if (ns === "") return ` ${name}${text}`;
  if (ns === xmlNamespace) return ` xml:${name}${text}`;
  return ` xmlns:${prefix}="${escapeXml(ns)}" ${prefix}:${name}${text}`;
}
