/** The validators of one state of a file, for conditional requests. */
export interface Validators {
  /** With its quotes; weak ones begin with `W/`. */
  etag: string;
  modified: Date;
}

/** Result of evaluating the preconditions. */
export type ConditionResult = "proceed" | "not_modified" | "failed";

/** Evaluates the preconditions of a GET or HEAD in the order of RFC 9110, 13.2.2. */
export function evaluateConditions(headers: Headers, validators: Validators): ConditionResult {
  const ifMatch = headers.get("if-match");
  if (ifMatch !== null) {
    if (!matches(ifMatch, validators.etag, "strong")) return "failed";
  } else {
    const unmodifiedSince = readDate(headers.get("if-unmodified-since"));
    if (unmodifiedSince !== null && seconds(validators.modified) > unmodifiedSince) return "failed";
  }

  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch !== null) {
    return matches(ifNoneMatch, validators.etag, "weak") ? "not_modified" : "proceed";
  }
  const modifiedSince = readDate(headers.get("if-modified-since"));
  const unchanged = modifiedSince !== null && seconds(validators.modified) <= modifiedSince;
  return unchanged ? "not_modified" : "proceed";
}

/**
 * Whether `Range` may be honoured: without `If-Range`, or when it names the current state of the
 * file (RFC 9110, 13.1.5: strong comparison, and a date must be exactly `Last-Modified`).
 */
export function rangeApplies(headers: Headers, validators: Validators): boolean {
  const ifRange = headers.get("if-range")?.trim();
  if (ifRange === undefined) return true;
  if (/^(W\/)?"/.test(ifRange)) return matches(ifRange, validators.etag, "strong");
  return readDate(ifRange) === seconds(validators.modified);
}

/** Whether a list of entity tags (or `*`) contains `etag`. */
function matches(list: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (list.trim() === "*") return true;
  const tags: string[] = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  if (comparison === "strong") return !etag.startsWith("W/") && tags.includes(etag);
  return tags.some((tag) => opaque(tag) === opaque(etag));
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}

/** Whole seconds since 1970; null for an invalid date, as such a header is ignored. */
function readDate(value: string | null): number | null {
  if (value === null) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
