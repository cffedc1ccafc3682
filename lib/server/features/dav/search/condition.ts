import { DomainError } from "../../../../shared/errors.ts";
import { foldText } from "../../../../shared/fold.ts";
import { earliestTime, latestTime } from "../../../../shared/time.ts";
import { mediaTypeOf } from "../../../files/content/types.ts";
import { isDav, keyOf } from "../propfind.ts";
import { davNamespace, nextcloud, ownCloud } from "../xml/write_xml.ts";
import { elementsOf, textOf, type XmlElement } from "../xml/read_xml.ts";

/** What can be searched and sorted by. */
export type SearchField =
  | "name"
  | "type"
  | "modified"
  | "taken"
  | "size"
  | "favorite"
  | "id"
  | "owner";

type NumberField = "modified" | "taken" | "size" | "favorite" | "id";

type Comparison = "eq" | "lt" | "lte" | "gt" | "gte" | "like";

/** A condition of a search (RFC 5323, 5.5). */
export type Condition =
  | { kind: "and" | "or"; of: Condition[] }
  | { kind: "not"; of: Condition }
  | { kind: "folder" }
  | { kind: "text"; field: "name" | "type" | "owner"; how: Comparison; text: string }
  | {
    kind: "number";
    field: NumberField;
    how: Comparison;
    value: number;
  };

/** An entry that a condition is about. */
export interface Candidate {
  name: string;
  isFolder: boolean;
  /** Bytes. */
  size: number;
  /** In milliseconds since 1970. */
  modified: number;
  /** When a picture or video was taken, likewise; when the file was changed where that is not known. */
  taken: number;
  owner: string;
  isFavorite: boolean;
  /** NaN where it was not asked. */
  id: number;
}

/** Most conditions of a search: each is compared with each entry. */
const maxConditions = 200;

/** The fields by the names of their properties. Times that we have no index of are that of a change. */
const fields: ReadonlyMap<string, SearchField> = new Map([
  ...(["displayname", "name"] as const).map((name) =>
    [keyOf({ ns: davNamespace, name }), "name"] as const
  ),
  [keyOf({ ns: davNamespace, name: "getcontenttype" }), "type"],
  ...[davNamespace, nextcloud].flatMap((ns) =>
    ["getlastmodified", "upload_time", "creation_time"].map(
      (name) => [keyOf({ ns, name }), "modified"] as const,
    )
  ),
  ...[davNamespace, nextcloud].map((ns) =>
    [keyOf({ ns, name: "metadata-photos-original_date_time" }), "taken"] as const
  ),
  [keyOf({ ns: davNamespace, name: "getcontentlength" }), "size"],
  [keyOf({ ns: ownCloud, name: "size" }), "size"],
  [keyOf({ ns: ownCloud, name: "favorite" }), "favorite"],
  [keyOf({ ns: ownCloud, name: "fileid" }), "id"],
  [keyOf({ ns: ownCloud, name: "owner-id" }), "owner"],
]);

const comparisons = new Set<string>(["eq", "lt", "lte", "gt", "gte", "like"]);

/** Reads the conditions of a search. */
export class ConditionReader {
  readonly #action: string;
  #count = 0;

  /** @param action for messages: `Cannot search` */
  constructor(action: string) {
    this.#action = action;
  }

  /** @throws {DomainError} `invalid_body` for a condition that is not known */
  read(element: XmlElement): Condition {
    if (++this.#count > maxConditions) this.#refuse(`it has more than ${maxConditions} conditions`);
    const { name } = element;
    const parts = elementsOf(element);
    if (element.ns !== davNamespace) this.#refuse(`the condition "${name}" is not known`);
    if (name === "and" || name === "or") {
      return { kind: name, of: parts.map((part) => this.read(part)) };
    }
    if (name === "not") {
      const [only] = parts;
      return only ? { kind: "not", of: this.read(only) } : this.#refuse('"not" is empty');
    }
    if (name === "is-collection") return { kind: "folder" };
    return this.#comparison(element);
  }

  /** The field that an element `prop` names. @throws {DomainError} `invalid_body` */
  field(element: XmlElement): SearchField {
    const prop = elementsOf(element).find((part) => isDav(part, "prop"));
    const [property] = prop ? elementsOf(prop) : [];
    const field = property && fields.get(keyOf(property));
    return field ?? this.#refuse(`it cannot search by "${property?.name ?? ""}"`);
  }

  #comparison(element: XmlElement): Condition {
    const { name } = element;
    if (!comparisons.has(name)) this.#refuse(`the condition "${name}" is not known`);
    const how = name as Comparison;
    const literal = elementsOf(element).find((part) => isDav(part, "literal"));
    const text = literal ? textOf(literal).trim() : "";
    const field = this.field(element);
    if (field === "name" || field === "type" || field === "owner") {
      return { kind: "text", field, how, text };
    }
    const value = isTime(field)
      ? timeIn(text)
      : field === "favorite"
      ? Number(/^(?:1|yes|true)$/i.test(text))
      : Number(text === "" ? NaN : text);
    if (how === "like" || Number.isNaN(value)) this.#refuse(`it cannot compare with "${text}"`);
    return { kind: "number", field, how, value };
  }

  #refuse(reason: string): never {
    throw new DomainError("invalid_body", `${this.#action}: ${reason}`);
  }
}

/** A time as clients write it: a date, or seconds since 1970; NaN for neither. In milliseconds. */
function timeIn(text: string): number {
  const time = /^-?\d{1,12}(?:\.\d*)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return Math.min(Math.max(time, earliestTime), latestTime);
}

function isTime(field: SearchField): boolean {
  return field === "modified" || field === "taken";
}

/** Whether an entry meets a condition. */
export function meets(condition: Condition, candidate: Candidate): boolean {
  switch (condition.kind) {
    case "and":
      return condition.of.every((each) => meets(each, candidate));
    case "or":
      return condition.of.some((each) => meets(each, candidate));
    case "not":
      return !meets(condition.of, candidate);
    case "folder":
      return candidate.isFolder;
    case "text":
      return comparesText(condition, textIn(candidate, condition.field));
    case "number":
      return comparesNumber(condition, numberIn(candidate, condition.field));
  }
}

function textIn(candidate: Candidate, field: "name" | "type" | "owner"): string {
  if (field === "type") {
    return candidate.isFolder ? "httpd/unix-directory" : mediaTypeOf(candidate.name);
  }
  return field === "owner" ? candidate.owner : candidate.name;
}

function numberIn(candidate: Candidate, field: NumberField): number {
  return field === "favorite" ? Number(candidate.isFavorite) : candidate[field];
}

/** A comparison of times is one of whole seconds, of which clients know no parts. */
function comparesNumber(
  { field, how, value }: Extract<Condition, { kind: "number" }>,
  number: number,
): boolean {
  const [own, other] = isTime(field)
    ? [Math.floor(number / 1000), Math.floor(value / 1000)]
    : [number, value];
  if (how === "eq") return own === other;
  if (how === "lt" || how === "lte") return own < other || how === "lte" && own === other;
  return own > other || how === "gte" && own === other;
}

function comparesText(
  { how, text }: Extract<Condition, { kind: "text" }>,
  value: string,
): boolean {
  if (how === "like") return isLike(value, text);
  const order = compareTexts(foldText(value), foldText(text));
  if (how === "eq") return order === 0;
  if (how === "lt" || how === "lte") return order < 0 || how === "lte" && order === 0;
  return order > 0 || how === "gte" && order === 0;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Whether a text is like a pattern of SQL: `%` stands for any text, `_` for any character, in any
 * case. Each part is looked for once, so that no pattern takes long.
 */
export function isLike(value: string, pattern: string): boolean {
  const text = [...foldText(value)];
  const parts = foldText(pattern).split("%").map((part) => [...part]);
  const [first = [], ...others] = parts;
  if (!fitsAt(text, first, 0)) return false;
  const last = others.pop();
  if (last === undefined) return text.length === first.length;
  let at = first.length;
  for (const part of others) {
    while (at + part.length <= text.length && !fitsAt(text, part, at)) at++;
    if (at + part.length > text.length) return false;
    at += part.length;
  }
  const end = text.length - last.length;
  return end >= at && fitsAt(text, last, end);
}

function fitsAt(text: readonly string[], part: readonly string[], at: number): boolean {
  return at + part.length <= text.length &&
    part.every((character, index) => character === "_" || character === text[at + index]);
}
