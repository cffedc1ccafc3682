import { useEffect, useState } from "react";
import { usePage } from "./page.ts";

/** The moment and the time zone that times are told in. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
  /** An IANA name: "Europe/Berlin". */
  timeZone: string;
}

/** The cookie by which the server learns the visitor's time zone. */
export const TIME_ZONE_COOKIE = "tz";

const MINUTE = 60_000;
const YEAR_SECONDS = 31_536_000;

/**
 * The clock of a page. It begins with the server's, so that what the server rendered is what the
 * browser renders first; then it is the browser's own and moves on every minute. The time zone is
 * remembered, so that from the second page on the server tells the same times as the browser.
 */
export function useClock(server: Clock): Clock {
  const [clock, setClock] = useState(server);
  const { BaseURL } = usePage().data.config;
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const tell = () => setClock({ now: Date.now(), timeZone });
    tell();
    if (timeZone !== server.timeZone) {
      document.cookie = `${TIME_ZONE_COOKIE}=${encodeURIComponent(timeZone)}; ` +
        `Path=${BaseURL || "/"}; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
    }
    const ticking = setInterval(tell, MINUTE);
    return () => clearInterval(ticking);
  }, []);
  return clock;
}
