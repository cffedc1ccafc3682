import type { Group } from "../../../shared/api_types.ts";
import { type EntryKind, entryKind, entryKinds } from "../../../shared/entry_kind.ts";
import { extensionOf, typeOfName } from "../content/types.ts";

/** Entries in the order of their groups. */
export interface Grouped<T> {
  all: T[];
  groups: Group[];
}

/**
 * Puts sorted entries in groups, folders in the first one. Within a group the order stays.
 *
 * @param keyOf the name of a file's group
 * @param order of the groups' names
 */
export function groupEntries<T>(
  folders: readonly T[],
  files: readonly T[],
  keyOf: (entry: T) => string,
  order: (a: string, b: string) => number,
): Grouped<T> {
  const byKey = Map.groupBy(files, keyOf);
  const names = [...byKey.keys()].sort(order);
  const parts = [
    ["folder", folders] as const,
    ...names.map((name) => [name, byKey.get(name) ?? []] as const),
  ]
    .filter(([, entries]) => entries.length > 0);
  return {
    all: parts.flatMap(([, entries]) => entries),
    groups: parts.map(([name, entries]) => ({ name, count: entries.length })),
  };
}

/** The kind of a file, by its name alone: no file is read for it. */
export function kindOfName(name: string, isBroken: boolean): EntryKind {
  const type = isBroken ? "invalid_link" : typeOfName(name) ?? "blob";
  return entryKind({ type, isDir: false, extension: extensionOf(name) });
}

/** Whether a file is a picture or a video, by its name. */
export function isPicture(name: string): boolean {
  const type = typeOfName(name);
  return type === "image" || type === "video";
}

/** Compares kinds of files by the order in which people read them. */
export function compareKinds(a: string, b: string): number {
  return orderOfKind(a) - orderOfKind(b);
}

function orderOfKind(name: string): number {
  return (entryKinds as readonly string[]).indexOf(name);
}

/** The first moment of a month, in milliseconds since 1970, and its name. */
interface Month {
  from: number;
  /** The first moment of the next one. */
  to: number;
  name: string;
}

/**
 * Returns the month of a time as "2026-11", in a time zone. The zone is asked about each month
 * once: formatting every time of a large folder would take a second.
 *
 * @param timeZone an IANA name
 */
export function monthsIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat("en-u-ca-gregory", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  });
  /** The time of a clock in the zone, as if it were UTC. */
  const wallTime = (time: number): number => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  /** When a clock in the zone shows a time. */
  const momentOf = (wall: number): number => {
    const guess = wall - (wallTime(wall) - wall);
    return wall - (wallTime(guess) - guess);
  };
  const known: Month[] = [];
  return (time) => {
    const found = known.find(({ from, to }) => time >= from && time < to);
    if (found) return found.name;
    const wall = new Date(wallTime(Math.floor(time / 1000) * 1000));
    const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()];
    const from = momentOf(Date.UTC(year, month));
    const to = momentOf(Date.UTC(year, month + 1));
    const name = wall.toISOString().slice(0, "2026-11".length);
    known.unshift({ from, to, name });
    return name;
  };
}
