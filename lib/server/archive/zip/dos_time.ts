/** A time in zip's own fields. */
export interface DosTime {
  date: number;
  time: number;
}

/**
 * MS-DOS time: 1980 to 2107, in steps of two seconds, without a time zone. Written as UTC, so that
 * an archive has the same bytes wherever it is made. Current programs use the exact time in the
 * extra field.
 *
 * @param modified milliseconds since 1970
 */
export function dosTime(modified: number): DosTime {
  const date = new Date(modified);
  const year = date.getUTCFullYear();
  if (!(year >= 1980)) return { date: 1 << 5 | 1, time: 0 };
  if (year > 2107) return { date: 127 << 9 | 12 << 5 | 31, time: 23 << 11 | 59 << 5 | 29 };
  return {
    date: year - 1980 << 9 | date.getUTCMonth() + 1 << 5 | date.getUTCDate(),
    time: date.getUTCHours() << 11 | date.getUTCMinutes() << 5 | date.getUTCSeconds() >> 1,
  };
}
