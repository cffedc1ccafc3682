/**
 * The surface of File Browser: calls of all its routes, on one tree of files. `record.ts` makes them
 * to File Browser itself and keeps its answers; `surface_test.ts` makes them to Cubby.
 */
import { sessions, settings, users } from "./account_calls.ts";
import { corners } from "./corner_calls.ts";
import { changes, downloads, listings, shares } from "./file_calls.ts";
import { furtherCalls } from "./further_calls.ts";

/** A call of the surface. */
export interface SurfaceCall {
  /** `GET /api/resources/t`: values of former answers are written `{name}`. */
  sends: string;
  /** Tells calls apart that send the same. */
  case?: string;
  /** The name of the token in `X-Auth`: "admin" unless given; none for "". */
  as?: string;
  headers?: Record<string, string>;
  /** A value that is sent as JSON. Ids in it are written `"{quinId}"`. */
  json?: unknown;
  body?: string;
  /** The name under which a value of the answer is kept: the text, or that member of its JSON. */
  keeps?: { name: string; member?: string; header?: string };
  /** The difference in `docs/api/differences.md` that the answers show, by its title. */
  shows?: string;
}

/** The name of a call, unique in the surface. */
export function nameOfCall({ sends, case: what, as = "admin" }: SurfaceCall): string {
  return [sends, as === "admin" ? "" : `as ${as || "anybody"}`, what].filter(Boolean).join(", ");
}

/** All calls, in the order in which they are made. */
export const surface: readonly SurfaceCall[] = [
  ...[...sessions, ...users, ...listings, ...changes, ...corners, ...downloads, ...shares],
  ...[...furtherCalls, ...settings],
];
