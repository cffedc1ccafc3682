import { DomainError } from "../../shared/errors.ts";

/** How a share is to be protected and how long it is to last. */
export interface ShareDraft {
  /** "" for none. */
  password: string;
  /** 0 for ever. */
  seconds: number;
}

/** The units of a duration, in seconds. */
const units: Record<string, number> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

/** The longest duration, whatever its unit. */
const longest = 2 ** 31 - 1;

/**
 * Reads how something is shared: each of `password`, `expires` (a number or its digits) and `unit`
 * from the body, else from the query.
 *
 * @throws DomainError `invalid_body`
 */
export function readShareDraft(
  body: Record<string, unknown>,
  query: URLSearchParams,
): ShareDraft {
  const member = (name: string) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return value ?? query.get(name) ?? "";
  };
  const password = member("password");
  if (typeof password !== "string") {
    throw new DomainError("invalid_body", "Cannot read password: it must be a text");
  }
  const unit = member("unit") || "hours";
  if (typeof unit !== "string" || !Object.hasOwn(units, unit)) {
    const known = Object.keys(units).join(", ");
    throw new DomainError("invalid_body", `Cannot read unit: it must be one of ${known}`);
  }
  return { password, seconds: countOf(member("expires")) * (units[unit] ?? 0) };
}

function countOf(expires: unknown): number {
  const isCount = typeof expires === "number" ||
    typeof expires === "string" && /^\d*$/.test(expires);
  const count = isCount ? Number(expires) : NaN;
  if (Number.isInteger(count) && count >= 0 && count <= longest) return count;
  throw new DomainError(
    "invalid_body",
    `Cannot read expires: it must be a whole number up to ${longest}, or 0 for ever`,
  );
}
