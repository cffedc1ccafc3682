import { DomainError } from "../../../../shared/errors.ts";

/** An element of a request, with its names resolved. */
export interface XmlElement {
  /** The namespace; "" for none. */
  ns: string;
  name: string;
  /** Without the declarations of namespaces. */
  attributes: { ns: string; name: string; value: string }[];
  children: (XmlElement | string)[];
}

/** The deepest nesting of elements. */
const deepest = 64;

/** Most elements and attributes of a document. */
const maxNodes = 20_000;

/** The namespace of `xmlns` itself. */
const declarations = "http://www.w3.org/2000/xmlns/";

/**
 * Reads the XML of a request. A document type is refused, and with it every entity of its own:
 * none can name a file (XXE) or multiply itself (billion laughs). Depth and number of elements are
 * bounded; the caller bounds the bytes.
 *
 * @param action for the message: `Cannot read the properties of "/a"`
 * @throws {DomainError} `invalid_body`
 */
export async function readXml(bytes: Uint8Array, action: string): Promise<XmlElement> {
  const { SaxesParser } = await import("saxes");
  const refuse = (reason: string): never => {
    throw new DomainError("invalid_body", `${action}: ${reason}`);
  };
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;

  parser.on("error", () => refuse("it is not well-formed XML"));
  parser.on("doctype", () => refuse("a document type is not allowed"));
  parser.on("opentag", ({ uri, local, attributes }) => {
    const own = Object.values(attributes).filter((attribute) => attribute.uri !== declarations);
    nodes += 1 + Object.keys(attributes).length;
    if (nodes > maxNodes) refuse(`it has more than ${maxNodes} elements`);
    if (open.length >= deepest) refuse(`it is deeper than ${deepest} elements`);
    const element: XmlElement = {
      ns: uri,
      name: local,
      attributes: own.map(({ uri: ns, local: name, value }) => ({ ns, name, value })),
      children: [],
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  const addText = (text: string) => void open.at(-1)?.children.push(text);
  parser.on("text", addText);
  parser.on("cdata", addText);

  parser.write(decode(bytes) ?? refuse("it is not UTF-8")).close();
  return root ?? refuse("it has no element");
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The elements in an element, without the text between them. */
export function elementsOf({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== "string");
}

/** The text of an element, without that of the elements in it. */
export function textOf({ children }: XmlElement): string {
  return children.filter((child) => typeof child === "string").join("");
}
