/** Whether two values, as JSON has them, say the same; the order of fields means nothing. */
export function isAlike(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isAlike(Reflect.get(a, key), Reflect.get(b, key)));
}
