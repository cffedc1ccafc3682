import { type Clock, TIME_ZONE_COOKIE } from "../../../shared/clock.ts";
import { LruCache } from "../../../shared/lru_cache.ts";

/** Making a formatter, to ask for its zone, takes longer than a small listing. */
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const known = new LruCache<string, string>(100);

/** The current time, and the time zone of the browser's cookie or else the server's. */
export function serverClock(req: Request): Clock {
  return { now: Date.now(), timeZone: zoneFromCookie(req) ?? own };
}

function zoneFromCookie(req: Request): string | undefined {
  const pairs = req.headers.get("cookie")?.split(";") ?? [];
  const pair = pairs.find((each) => each.trim().startsWith(`${TIME_ZONE_COOKIE}=`));
  if (pair === undefined) return undefined;
  try {
    return timeZoneOf(decodeURIComponent(pair.slice(pair.indexOf("=") + 1)));
  } catch {
    return undefined;
  }
}

/** The time zone of a name (IANA); undefined when there is none. */
export function timeZoneOf(name: string): string | undefined {
  const zone = known.get(name) ?? readZone(name);
  if (zone !== undefined) known.set(name, zone);
  return zone;
}

function readZone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
