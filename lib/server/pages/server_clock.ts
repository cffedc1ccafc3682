import { type Clock, TIME_ZONE_COOKIE } from "../../client/core/use_clock.ts";

/** The moment, and the time zone that the browser told earlier; else the server's own. */
export function serverClock(req: Request): Clock {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { now: Date.now(), timeZone: toldZone(req) ?? own };
}

function toldZone(req: Request): string | undefined {
  const pairs = req.headers.get("cookie")?.split(";") ?? [];
  const told = pairs.find((pair) => pair.trim().startsWith(`${TIME_ZONE_COOKIE}=`));
  if (told === undefined) return undefined;
  try {
    const timeZone = decodeURIComponent(told.slice(told.indexOf("=") + 1));
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    // Nonsense in a cookie is no reason to refuse a page.
    return undefined;
  }
}
