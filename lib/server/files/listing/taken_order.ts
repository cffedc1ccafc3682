import type { Pauses } from "../../core/concurrency/pauses.ts";
import { stateText } from "../../core/disk/facts.ts";
import type { WindowSource } from "./describe_window.ts";
import type { FactsTable } from "./facts_table.ts";
import { hourMs } from "../../../shared/time.ts";

/** When a picture or a video was taken, and the state of the file that tells so. */
export interface TakenTime {
  state: string;
  /** In milliseconds since 1970 by the clock of the camera, as if that were UTC. */
  time: number;
  /** The clock was UTC, as in most videos. */
  isUtc: boolean;
}

/** Of the files of a folder, by name. Plain data, which goes to other threads. */
export type TakenTimes = ReadonlyMap<string, TakenTime>;

/** Entries examined between two pauses. */
const stride = 512;

/**
 * The times by which entries are ordered, as clocks on the wall showed them: that of the camera, or
 * else when the file was modified, in the zone of the viewer.
 *
 * @param taken what is known; without it, all are times of modification
 */
export async function wallTimes(
  { folder, open, names }: WindowSource,
  numbers: readonly number[],
  facts: FactsTable,
  { taken, timeZone = "UTC" }: { taken?: TakenTimes | undefined; timeZone?: string | undefined },
  pauses: Pauses,
): Promise<(entry: number) => number> {
  const wallOf = wallClock(timeZone);
  const times = new Float64Array(names.count);
  for (const [index, number] of numbers.entries()) {
    const child = names.child(number);
    const known = taken?.get(child.name);
    const state = known && folder.stat(child, open);
    const isKnown = known && state && stateText(state) === known.state;
    if (!isKnown) times[number] = wallOf(facts.modified(number));
    else times[number] = known.isUtc ? wallOf(known.time) : known.time;
    if (index % stride === stride - 1 && pauses.isDue) await pauses.pause();
  }
  return (entry) => times[entry] as number;
}

/** The day of a time on the wall, such as `2026-11-29`. */
export function dayOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, "2026-11-29".length);
}

/**
 * Returns what a clock in a zone shows at a time, as if that were UTC. The zone is asked about each
 * hour once: clocks change at whole hours, nearly everywhere.
 *
 * @param timeZone an IANA name
 */
export function wallClock(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat("en-u-ca-gregory", {
    ...{ timeZone, year: "numeric", month: "numeric", day: "numeric", hour: "numeric" },
    ...{ minute: "numeric", hourCycle: "h23" },
  });
  const offsets = new Map<number, number>();
  return (time) => {
    const hour = Math.floor(time / hourMs);
    let offset = offsets.get(hour);
    if (offset === undefined) {
      const parts = Object.fromEntries(
        format.formatToParts(hour * hourMs).map(({ type, value }) => [type, Number(value)]),
      );
      const { year = 0, month = 1, day = 1, hour: shown = 0, minute = 0 } = parts;
      offset = Date.UTC(year, month - 1, day, shown, minute) - hour * hourMs;
      offsets.set(hour, offset);
    }
    return time + offset;
  };
}
