const known = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads a moment as milliseconds since 1970: `2026-01-31`, which begins at midnight in UTC, or
 * `2026-01-31T12:00:00Z`; null for what is neither.
 */
export function readTime(text: string): number | null {
  const at = known.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : at;
}
