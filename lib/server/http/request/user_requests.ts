import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";

/** The envelope of a request about a user. */
export interface UserRequest {
  /** Names of the fields to change, not validated yet. */
  which: unknown;
  /** The user's fields, not validated yet. */
  data: Record<string, unknown>;
}

/**
 * Reads the envelope of a request about a user.
 *
 * @param id the user that the URL names; the data may repeat it, but not name another
 * @throws DomainError `invalid_body`
 */
export function readUserRequest(body: Record<string, unknown>, id?: number): UserRequest {
  const { what, which, data } = body;
  if (what !== "user") {
    throw new DomainError("invalid_body", 'Cannot read what: it must be "user"');
  }
  if (!isRecord(data)) {
    throw new DomainError("invalid_body", "Cannot read data: it must be an object");
  }
  const sentId = Object.hasOwn(data, "id") ? data.id : undefined;
  if (sentId !== undefined && sentId !== null && sentId !== (id ?? 0)) {
    throw new DomainError("invalid_body", "Cannot read data.id: the address names another user");
  }
  return { which, data };
}

/**
 * The user id in the URL.
 *
 * @throws DomainError `not_found` when it is not a valid id
 */
export function userIdOf(ctx: Context<State>): number {
  const id = ctx.params.id ?? "";
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw new DomainError("not_found", `Cannot find the user "${id}": an id is a number`);
}
