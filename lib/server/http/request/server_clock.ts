import { type Clock, TIME_ZONE_COOKIE } from "../../../shared/clock.ts";

/** The current time, and the time zone of the browser's cookie or else the server's. */
export function serverClock(req: Request): Clock {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { now: Date.now(), timeZone: zoneFromCookie(req) ?? own };
}

function zoneFromCookie(req: Request): string | undefined {
  const pairs = req.headers.get("cookie")?.split(";") ?? [];
  const pair = pairs.find((each) => each.trim().startsWith(`${TIME_ZONE_COOKIE}=`));
  if (pair === undefined) return undefined;
  try {
    const timeZone = decodeURIComponent(pair.slice(pair.indexOf("=") + 1));
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    // A malformed cookie is ignored.
    return undefined;
  }
}
