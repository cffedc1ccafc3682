import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import type { PlaceBox, Timeline } from "../../../shared/schemas/timeline.ts";
import type { PhotoQuery } from "../../features/photos/photo_order.ts";
import type { State } from "../define.ts";
import type { Parameter } from "../openapi/types.ts";
import { accessFor } from "./access_for.ts";
import { countOption, groupingOption } from "./query.ts";
import { serverClock } from "./server_clock.ts";

/** The most photos of one answer. */
export const maxWindow = 1_000;

/** The photos of one answer unless their number is asked for. */
const defaultWindow = 50;

/** The parameter that bounds photos by where they were taken. */
export const withinParameter: Parameter = {
  name: "within",
  in: "query",
  description: "Only those taken here: `west,south,east,north` in degrees. A box over the date " +
    "line has its west east of its east.",
  schema: { type: "string" },
};

/**
 * The window of the timeline that a request asks for.
 *
 * @throws DomainError `forbidden` without the permission to download, `invalid_option`,
 * `invalid_path`
 */
export async function timelineOf(ctx: Context<State>, limit?: number): Promise<Timeline> {
  const query = ctx.url.searchParams;
  const around = query.get("around");
  return await ctx.state.cubby.photos.window(accessFor(ctx), photoQuery(ctx), {
    offset: countOption(query, "offset") ?? 0,
    limit: Math.min(maxWindow, limit ?? countOption(query, "limit") ?? defaultWindow),
    groupBy: groupingOption(query) === "day" ? "day" : "month",
    around: around ? parsePath(around).path as EntryPath : undefined,
  });
}

/** Which photos a request is about. @throws DomainError `invalid_option` */
export function photoQuery(ctx: Context<State>): PhotoQuery {
  const { timeZone } = serverClock(ctx.req);
  const within = boxOption(ctx.url.searchParams);
  return within ? { timeZone, within } : { timeZone };
}

function boxOption(query: URLSearchParams): PlaceBox | undefined {
  const text = query.get("within");
  if (text === null || text === "") return undefined;
  const [west = NaN, south = NaN, east = NaN, north = NaN, ...more] = text.split(",").map(Number);
  const isBox = [west, east].every((degrees) => Math.abs(degrees) <= 180) &&
    [south, north].every((degrees) => Math.abs(degrees) <= 90) && more.length === 0;
  if (isBox) return [west, south, east, north];
  throw new DomainError(
    "invalid_option",
    `Cannot use "${text}" as within: expected "west,south,east,north" in degrees`,
  );
}
