import { useEffect, useState } from "react";
import { type Clock, TIME_ZONE_COOKIE } from "../../../shared/clock.ts";
import { minuteMs } from "../../../shared/time.ts";
import { usePage } from "./page.ts";

const YEAR_SECONDS = 31_536_000;

/**
 * The clock of a page. The first render uses the server's clock, so that it matches the server's
 * HTML; then the browser's, updated every minute. The time zone is stored in a cookie, so that from
 * the second page on the server uses it, too.
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
    const ticking = setInterval(tell, minuteMs);
    return () => clearInterval(ticking);
  }, []);
  return clock;
}
