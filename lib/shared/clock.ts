/** The time and the time zone that dates are formatted in. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
  /** An IANA name: "Europe/Berlin". */
  timeZone: string;
}

/** The cookie in which the browser sends the visitor's time zone. */
export const TIME_ZONE_COOKIE = "tz";
