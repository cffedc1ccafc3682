import { read } from "../../../../shared/schemas/read.ts";
import { requestChangeSchema, type RequestLimits } from "../../../../shared/schemas/request.ts";
import { secondsIn } from "../link_terms.ts";
import type { RequestChange } from "./requests.ts";

/**
 * Reads what is said of a request that is made or changed.
 *
 * @throws DomainError `invalid_body`
 */
export function readRequestChange(body: Record<string, unknown>): RequestChange {
  const { password, expires, unit = "hours", ...rest } = read(requestChangeSchema, body);
  const limits: Partial<RequestLimits> = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  );
  return {
    limits,
    ...password !== undefined && { password },
    ...expires !== undefined && { seconds: expires * secondsIn[unit] },
  };
}
