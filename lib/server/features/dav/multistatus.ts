import { encodePath, type EntryPath, joinPaths, parsePath } from "../../../shared/path.ts";
import type { LeftOut } from "../../files/transfer/progress.ts";
import {
  type DavEntry,
  davProperties,
  type LiveFacts,
  type LiveProperties,
  type LiveProperty,
} from "./live_properties.ts";
import { keyOf, type PropertyName, type PropertyQuery } from "./propfind.ts";
import { davNamespace, emptyElement, escapeXml, xmlDeclaration } from "./xml/write_xml.ts";

/** The form of the multistatus documents at some addresses (RFC 4918, 13). */
export interface MultistatusForm {
  properties: LiveProperties;
  /** It declares `D`, which is WebDAV's namespace in all of it, and the other prefixes. */
  start: string;
  end: string;
  /** Most characters of an entry's encoded name and of all its live properties but locks. */
  maxLiveLength: number;
  /** The prefix of WebDAV's own elements, but for those deep in others. */
  dav: string;
  /** The prefixes of other namespaces that `start` declares. */
  prefixes: ReadonlyMap<string, string>;
}

/** The form of those at `/dav`. */
export const davForm: MultistatusForm = {
  properties: davProperties,
  start: `${xmlDeclaration}<D:multistatus xmlns:D="DAV:">\n`,
  end: "</D:multistatus>\n",
  maxLiveLength: 3_000,
  dav: "D",
  prefixes: new Map(),
};

/** A dead property: its name, and the whole element as it is written in a multistatus. */
export interface DeadProperty extends PropertyName {
  xml: string;
}

/** Properties with the status that they share. */
export interface PropertyStatus {
  /** Such as "200 OK". */
  status: string;
  /** The properties as elements, one after the other. */
  xml: string;
  /** The name of a precondition that did not hold, if one is to be told. */
  condition?: string;
}

/**
 * One response of a multistatus.
 *
 * @param href percent-encoded
 */
export function responseOf(
  { dav: d }: Pick<MultistatusForm, "dav">,
  href: string,
  statuses: readonly PropertyStatus[],
): string {
  let body = "";
  for (const { status, xml, condition } of statuses) {
    if (xml === "") continue;
    const error = condition === undefined ? "" : `<${d}:error><${d}:${condition}/></${d}:error>`;
    body += `<${d}:propstat><${d}:prop>${xml}</${d}:prop>` +
      `<${d}:status>HTTP/1.1 ${status}</${d}:status>${error}</${d}:propstat>`;
  }
  // A response has to say something, also where nothing was asked for.
  body ||= `<${d}:propstat><${d}:prop/><${d}:status>HTTP/1.1 200 OK</${d}:status></${d}:propstat>`;
  return `<${d}:response><${d}:href>${escapeXml(href)}</${d}:href>${body}</${d}:response>\n`;
}

/** An element by its name alone, with the prefix that a document declares for its namespace. */
export function emptyIn(
  { dav, prefixes }: Pick<MultistatusForm, "dav" | "prefixes">,
  { ns, name }: PropertyName,
): string {
  const prefix = ns === davNamespace ? dav : prefixes.get(ns);
  return prefix === undefined ? emptyElement({ ns, name }) : `<${prefix}:${name}/>`;
}

/**
 * The multistatus of a copy or move that has left entries out of a folder: those alone, not the
 * folders above them (RFC 4918, 9.8.5 and 9.9.4).
 *
 * @param prefix of the addresses
 * @param folder the original
 */
export function leftOutMultistatus(
  prefix: string,
  folder: EntryPath,
  { count, first }: LeftOut,
  form: MultistatusForm,
): string {
  const { dav: d } = form;
  const responses = first.map((path) => {
    const href = prefix + encodePath(joinPaths(folder, parsePath(`/${path}`).path));
    return `<${d}:response><${d}:href>${escapeXml(href)}</${d}:href>` +
      `<${d}:status>HTTP/1.1 403 Forbidden</${d}:status></${d}:response>\n`;
  });
  const text = `Pipes, sockets and devices left out: ${count}; the first are named`;
  const rest = count > first.length
    ? `<${d}:responsedescription>${text}</${d}:responsedescription>`
    : "";
  return form.start + responses.join("") + rest + form.end;
}

/**
 * Most characters of an entry in the answer to a query, besides the address of its folder, its dead
 * properties and its locks.
 */
export function maxResponseLength(
  query: PropertyQuery,
  { maxLiveLength }: MultistatusForm,
): number {
  const names = query.kind === "named" ? query.names : [];
  return names.reduce((sum, name) => sum + emptyElement(name).length, maxLiveLength);
}

/** Writes the response for one entry. */
export type EntryWriter = (
  href: string,
  entry: DavEntry,
  dead: readonly DeadProperty[],
) => string;

/**
 * Prepares the answers to a query, so that each of many entries costs little.
 *
 * @param form of the documents at the address
 */
export function entryWriter(
  query: PropertyQuery,
  form: MultistatusForm,
  facts: LiveFacts,
): EntryWriter {
  const ok = "200 OK";
  const { properties } = form;
  const live = [...properties.values()];
  if (query.kind === "names") {
    return (href, entry, dead) => {
      const found = live.filter(({ read }) => read(entry, facts) !== null);
      const names = [...found, ...dead].map((name) => emptyIn(form, name)).join("");
      return responseOf(form, href, [{ status: ok, xml: names }]);
    };
  }
  if (query.kind === "all") {
    const included = new Set(query.include.map(keyOf));
    const shown = live.filter((property) =>
      !property.isOnlyByName || included.has(keyOf(property))
    );
    return (href, entry, dead) => {
      let xml = "";
      for (const property of shown) xml += liveElement(property, property.read(entry, facts));
      for (const property of dead) xml += property.xml;
      return responseOf(form, href, [{ status: ok, xml }]);
    };
  }
  const wanted = query.names.map((property): Wanted => {
    const key = keyOf(property);
    return { key, live: properties.get(key), missing: emptyIn(form, property) };
  });
  return (href, entry, dead) => {
    let [found, missing] = ["", ""];
    for (const { key, live, missing: element } of wanted) {
      const kept = live && !live.isSettable
        ? undefined
        : dead.find((property) => keyOf(property) === key)?.xml;
      const xml = live
        ? liveElement(live, kept ? contentOf(kept) : live.read(entry, facts))
        : kept ?? "";
      if (xml === "") missing += element;
      else found += xml;
    }
    const none = { status: "404 Not Found", xml: missing };
    return responseOf(form, href, [{ status: ok, xml: found }, none]);
  };
}

/** A property that is asked for by name. */
interface Wanted {
  key: string;
  /** Only of a live property. */
  live: LiveProperty | undefined;
  /** The element that tells that it is missing. */
  missing: string;
}

/** "" for a property that the entry does not have. */
function liveElement({ element }: LiveProperty, content: string | null): string {
  if (content === null) return "";
  return content === "" ? `<${element}/>` : `<${element}>${content}</${element}>`;
}

/** The text of an element, as it is written. */
function contentOf(xml: string): string {
  return />([^<]*)</.exec(xml)?.[1] ?? "";
}
