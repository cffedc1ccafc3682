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
  const name = pair.slice(pair.indexOf("=") + 1);
  const zone = known.get(name) ?? zoneOf(name);
  if (zone !== undefined) known.set(name, zone);
  return zone;
}

/** The time zone of an escaped name; undefined when there is none. */
function zoneOf(name: string): string | undefined {
  try {
    const timeZone = decodeURIComponent(name);
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
