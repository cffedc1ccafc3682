/** A time still to pass, for people: "40 sec", "12 min", "3 hr". */
export function formatLeft(seconds: number, language: string): string {
  const [unit, size] = seconds < 90
    ? ["second", 1] as const
    : seconds < 5400
    ? ["minute", 60] as const
    : ["hour", 3600] as const;
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" });
  return format.format(Math.ceil(seconds / size));
}
