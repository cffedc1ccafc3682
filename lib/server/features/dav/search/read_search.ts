import { DomainError } from "../../../../shared/errors.ts";
import { isDav, namesIn, type PropertyQuery } from "../propfind.ts";
import { ownCloud } from "../xml/write_xml.ts";
import { elementsOf, readXml, textOf, type XmlElement } from "../xml/read_xml.ts";
import { type Condition, ConditionReader, type SearchField } from "./condition.ts";

/** Most results of a search, those that are passed over included. */
export const maxResults = 10_000;

/** A search of a client (RFC 5323). */
export interface DavSearch {
  query: PropertyQuery;
  /** The address of the folder below which it searches, as the client wrote it. */
  scope: string;
  /** Null for all. */
  where: Condition | null;
  order: { field: SearchField; isDescending: boolean }[];
  limit: number;
  /** Results that are passed over. */
  offset: number;
}

const action = "Cannot search";

/**
 * Reads the body of a SEARCH.
 *
 * @throws {DomainError} `invalid_body`
 */
export async function readSearch(bytes: Uint8Array): Promise<DavSearch> {
  const root = await readXml(bytes, action);
  if (!isDav(root, "searchrequest")) refuse('no "searchrequest"');
  const search = part(root, "basicsearch") ?? refuse('no "basicsearch"');
  const select = part(search, "select");
  const named = select && part(select, "prop");
  const scopes = elementsOf(part(search, "from") ?? search).filter((each) => isDav(each, "scope"));
  const [scope] = scopes;
  if (scopes.length > 1) refuse("it has more than one scope");
  const href = scope && part(scope, "href");
  const reader = new ConditionReader(action);
  const where = part(search, "where");
  const conditions = where ? elementsOf(where) : [];
  const orders = elementsOf(part(search, "orderby") ?? search).filter((each) =>
    isDav(each, "order")
  );
  const limits = elementsOf(part(search, "limit") ?? search);
  const numberIn = (name: string, absent: number) => {
    const text = textOf(limits.find((each) => each.name === name) ?? search).trim();
    return /^\d{1,9}$/.test(text) ? Number(text) : absent;
  };
  const offset = numberIn("firstresult", 0);
  return {
    query: named ? { kind: "named", names: namesIn(named, action) } : { kind: "all", include: [] },
    scope: href ? textOf(href).trim() : "",
    where: conditions.length === 0
      ? null
      : { kind: "and", of: conditions.map((each) => reader.read(each)) },
    order: orders.map((each) => ({
      field: reader.field(each),
      isDescending: part(each, "descending") !== undefined,
    })),
    offset,
    limit: Math.max(0, Math.min(numberIn("nresults", maxResults), maxResults - offset)),
  };
}

/** A REPORT about files (`oc:filter-files`): those that meet all its rules. */
export interface FileFilter {
  query: PropertyQuery;
  /** Only favourites. */
  isFavorite: boolean;
  /** Only these, by `oc:fileid`. */
  ids: string[];
}

/** Most ids of one report. */
const maxIds = 100;

/**
 * Reads the body of a REPORT.
 *
 * @returns null for a kind of report that there is not, or a rule that nothing here can meet
 * @throws {DomainError} `invalid_body`
 */
export async function readReport(bytes: Uint8Array): Promise<FileFilter | null> {
  const root = await readXml(bytes, "Cannot make the report");
  if (root.ns !== ownCloud || root.name !== "filter-files") return null;
  const named = part(root, "prop");
  const list = elementsOf(root).find(({ ns, name }) => ns === ownCloud && name === "filter-rules");
  const rules = list ? elementsOf(list) : [];
  const filter: FileFilter = {
    query: named ? { kind: "named", names: namesIn(named, action) } : { kind: "all", include: [] },
    isFavorite: false,
    ids: [],
  };
  for (const rule of rules) {
    const text = textOf(rule).trim();
    if (rule.ns === ownCloud && rule.name === "favorite") filter.isFavorite = text !== "0";
    else if (rule.ns === ownCloud && rule.name === "fileid") filter.ids.push(text);
    else return null;
  }
  if (filter.ids.length > maxIds) refuse(`it names more than ${maxIds} files`);
  return filter.isFavorite || filter.ids.length > 0 ? filter : null;
}

function part(element: XmlElement, name: string): XmlElement | undefined {
  return elementsOf(element).find((each) => isDav(each, name));
}

function refuse(reason: string): never {
  throw new DomainError("invalid_body", `${action}: ${reason}`);
}
