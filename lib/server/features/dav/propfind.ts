import { DomainError } from "../../../shared/errors.ts";
import { elementsOf, readXml, type XmlElement } from "./xml/read_xml.ts";
import { davNamespace } from "./xml/write_xml.ts";

/** The name of a property with its namespace. */
export type PropertyName = Pick<XmlElement, "ns" | "name">;

/** The properties that a PROPFIND asks for (RFC 4918, 9.1). */
export type PropertyQuery =
  /** All that entries have, and those live ones that are sent only when named. */
  | { kind: "all"; include: PropertyName[] }
  | { kind: "names" }
  | { kind: "named"; names: PropertyName[] };

/** Most properties that one request may name: each entry answers for each of them. */
const maxNames = 200;

/** Longest name of a property with its namespace, in characters. */
const maxNameLength = 255;

/** Longest names of one request together: each entry repeats all of them. */
const maxNamesLength = 8 * 1024;

/**
 * Reads the body of a PROPFIND; an empty one asks for all.
 *
 * @throws {DomainError} `invalid_body`
 */
export async function readPropertyQuery(bytes: Uint8Array): Promise<PropertyQuery> {
  if (bytes.length === 0) return { kind: "all", include: [] };
  const action = "Cannot read the wanted properties";
  const root = await readXml(bytes, action);
  if (!isDav(root, "propfind")) throw new DomainError("invalid_body", `${action}: no "propfind"`);
  const parts = elementsOf(root);
  const part = (name: string) => parts.find((element) => isDav(element, name));
  const named = part("prop");
  if (named) return { kind: "named", names: namesIn(named, action) };
  if (part("propname")) return { kind: "names" };
  const include = part("include");
  if (part("allprop")) return { kind: "all", include: include ? namesIn(include, action) : [] };
  throw new DomainError("invalid_body", `${action}: it has no known element`);
}

/** Whether an element is WebDAV's own of a name. */
export function isDav({ ns, name }: PropertyName, wanted: string): boolean {
  return ns === davNamespace && name === wanted;
}

/** A name as the key of a map. */
export function keyOf({ ns, name }: PropertyName): string {
  return `{${ns}}${name}`;
}

/**
 * Refuses names that are too long.
 *
 * @param action for the message: `Cannot read the properties`
 * @throws {DomainError} `invalid_body`
 */
export function checkNames(names: readonly PropertyName[], action: string): void {
  const lengths = names.map(({ ns, name }) => ns.length + name.length);
  const refuse = (max: number, what: string) => {
    throw new DomainError("invalid_body", `${action}: ${what} over ${max} characters`);
  };
  if (lengths.some((length) => length > maxNameLength)) refuse(maxNameLength, "a name has");
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  if (whole > maxNamesLength) refuse(maxNamesLength, "the names together have");
}

/** The names of the properties in an element. @throws {DomainError} `invalid_body` */
export function namesIn(element: XmlElement, action: string): PropertyName[] {
  const names = elementsOf(element).map(({ ns, name }) => ({ ns, name }));
  if (names.length > maxNames) {
    throw new DomainError("invalid_body", `${action}: they are more than ${maxNames}`);
  }
  checkNames(names, action);
  return names;
}
