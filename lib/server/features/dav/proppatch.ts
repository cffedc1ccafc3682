import { earliestTime, latestTime } from "../../../shared/time.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { LiveProperties } from "./live_properties.ts";
import {
  type DeadProperty,
  emptyIn,
  type MultistatusForm,
  type PropertyStatus,
} from "./multistatus.ts";
import { checkNames, isDav, keyOf } from "./propfind.ts";
import { davNamespace, ownCloud, writeXml, xmlNamespace } from "./xml/write_xml.ts";
import { elementsOf, readXml, textOf, type XmlElement } from "./xml/read_xml.ts";

/** The namespace of the properties that Windows sets. */
const windowsNamespace = "urn:schemas-microsoft-com:";

/** Most changes in one request. */
const maxChanges = 200;

/** One change of a property, in the order of the request (RFC 4918, 9.2). */
export interface PropertyChange {
  action: "set" | "remove";
  property: XmlElement;
}

/**
 * Reads the body of a PROPPATCH.
 *
 * @throws {DomainError} `invalid_body`
 */
export async function readPropertyChanges(bytes: Uint8Array): Promise<PropertyChange[]> {
  const action = "Cannot read the properties";
  const root = await readXml(bytes, action);
  if (!isDav(root, "propertyupdate")) {
    throw new DomainError("invalid_body", `${action}: no "propertyupdate"`);
  }
  const changes = elementsOf(root).flatMap((step): PropertyChange[] => {
    const kind = (["set", "remove"] as const).find((name) => isDav(step, name));
    if (!kind) return [];
    const props = elementsOf(step).filter((element) => isDav(element, "prop"));
    return props.flatMap((prop) =>
      elementsOf(prop).map((property) => ({ action: kind, property: inLanguage(property, prop) }))
    );
  });
  if (changes.length === 0 || changes.length > maxChanges) {
    throw new DomainError("invalid_body", `${action}: expected 1 to ${maxChanges} changes`);
  }
  checkNames(changes.map(({ property }) => property), action);
  return changes;
}

/**
 * Whether a change is refused.
 *
 * @param properties the live ones of the address
 */
export function isRefused(change: PropertyChange, properties: LiveProperties): boolean {
  return isProtected(change, properties) || isUnreadable(change, properties);
}

/**
 * WebDAV's own names are the server's, and so are its other live properties, but for those that a
 * client may set.
 */
function isProtected(change: PropertyChange, properties: LiveProperties): boolean {
  const { property } = change;
  if (isModified(change, properties) || isFavorite(change)) return false;
  const live = properties.get(keyOf(property));
  return property.ns === davNamespace || live !== undefined && !live.isSettable;
}

/** Whether the time that a file is to have is none that it can have. */
function isUnreadable(change: PropertyChange, properties: LiveProperties): boolean {
  return isModified(change, properties) && timeIn(change.property) === undefined;
}

/** The time that a client wants a file to have, in milliseconds since 1970; undefined without one. */
export function modifiedIn(
  changes: readonly PropertyChange[],
  properties: LiveProperties,
): number | undefined {
  const last = changes.findLast((change) => isModified(change, properties));
  return last && timeIn(last.property);
}

/** The time that a file can have. Windows sends a date, clients of ownCloud and Nextcloud seconds. */
function timeIn(property: XmlElement): number | undefined {
  const text = textOf(property).trim();
  const time = /^-?\d{1,12}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return time >= earliestTime && time <= latestTime ? time : undefined;
}

/** Whether a change is about the star of an entry, which is none of its properties here. */
export function isFavorite({ property: { ns, name } }: PropertyChange): boolean {
  return ns === ownCloud && name === "favorite";
}

/** Whether an entry is to be starred; undefined where that is not asked. */
export function favoriteIn(changes: readonly PropertyChange[]): boolean | undefined {
  const last = changes.findLast(isFavorite);
  return last && last.action === "set" && /^(?:1|true|yes)$/i.test(textOf(last.property).trim());
}

/** The dead properties after the changes. */
export function applyChanges(
  properties: readonly DeadProperty[],
  changes: readonly PropertyChange[],
  live: LiveProperties,
): DeadProperty[] {
  const next = new Map(properties.map((property) => [keyOf(property), property]));
  const isLive = (change: PropertyChange) =>
    isModified(change, live) || isFavorite(change) && live.has(keyOf(change.property));
  for (const change of changes.filter((each) => !isLive(each))) {
    const { action, property } = change;
    const { ns, name } = property;
    // A property that is set again comes last, as if it were new.
    next.delete(keyOf(property));
    if (action === "set") next.set(keyOf(property), { ns, name, xml: writeXml(property) });
  }
  return [...next.values()];
}

/** The result of the changes (RFC 4918, 9.2.1): all are made, or none. */
export function statusesOf(
  changes: readonly PropertyChange[],
  form: MultistatusForm,
): PropertyStatus[] {
  const names = (list: readonly PropertyChange[]) =>
    [...new Set(list.map(({ property }) => emptyIn(form, property)))].join("");
  const { properties } = form;
  const refused = changes.filter((change) => isRefused(change, properties));
  if (refused.length === 0) return [{ status: "200 OK", xml: names(changes) }];
  return [
    {
      status: "403 Forbidden",
      xml: names(refused.filter((change) => isProtected(change, properties))),
      condition: "cannot-modify-protected-property",
    },
    {
      status: "409 Conflict",
      xml: names(refused.filter((change) => isUnreadable(change, properties))),
    },
    {
      status: "424 Failed Dependency",
      xml: names(changes.filter((change) => !refused.includes(change))),
    },
  ];
}

/** It sets the time of the file itself, and is not kept besides. */
function isModified({ action, property }: PropertyChange, properties: LiveProperties): boolean {
  const { ns, name } = property;
  if (action !== "set") return false;
  if (ns === windowsNamespace) return name === "Win32LastModifiedTime";
  return ns === davNamespace && properties.get(keyOf(property))?.isSettable === true;
}

/** The language of a property, which it may have of the element around it (RFC 4918, 4.3). */
function inLanguage(property: XmlElement, around: XmlElement): XmlElement {
  const languageOf = ({ attributes }: XmlElement) =>
    attributes.find(({ ns, name }) => ns === xmlNamespace && name === "lang");
  const inherited = languageOf(around);
  if (!inherited || languageOf(property)) return property;
  return { ...property, attributes: [...property.attributes, inherited] };
}
