import { read } from "../../shared/schemas/read.ts";
import { shareRequestSchema } from "../../shared/schemas/share.ts";

/** The protection and the lifetime requested for a share. */
export interface ShareDraft {
  /** "" for none. */
  password: string;
  /** 0 for no end. */
  seconds: number;
}

/** The units of a duration, in seconds. */
const secondsIn = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

/**
 * Reads the protection and lifetime of a share: each of `password`, `expires` (a number or its
 * digits) and `unit` from the body, else from the query.
 *
 * @throws DomainError `invalid_body`
 */
export function readShareDraft(
  body: Record<string, unknown>,
  query: URLSearchParams,
): ShareDraft {
  const names = Object.keys(shareRequestSchema.entries);
  const said = Object.fromEntries(
    names.map((name) => [name, body[name] ?? query.get(name) ?? ""]),
  );
  const { password, expires, unit } = read(shareRequestSchema, {
    ...said,
    unit: said.unit || undefined,
  });
  return { password, seconds: expires * secondsIn[unit] };
}
