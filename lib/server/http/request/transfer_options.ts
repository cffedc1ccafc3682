import { type EntryPath, parsePath, parseUrlPath, percentDecoded } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import { flagOption } from "./query.ts";
import type { UploadOptions } from "../../files/upload/upload.ts";

/** The query of a copy or a move. */
export interface TransferQuery {
  action: "copy" | "move";
  to: EntryPath;
  override: boolean;
  rename: boolean;
}

/** File Browser uses `rename` for a move; `move` is accepted as well. */
const actions: Record<string, TransferQuery["action"]> = {
  copy: "copy",
  rename: "move",
  move: "move",
};

/**
 * Reads `?action=&destination=&override=&rename=`.
 *
 * @throws DomainError `invalid_option` for another action or without a destination; `invalid_path`
 */
export function transferOptions({ search, searchParams }: URL): TransferQuery {
  const name = searchParams.get("action") ?? "";
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) {
    throw new DomainError("invalid_option", `Cannot do "${name}": expected copy or rename`);
  }
  const destination = rawValue(search, "destination");
  if (!destination) {
    throw new DomainError("invalid_option", `Cannot ${action} anything without a destination`);
  }
  return {
    action,
    to: destinationOf(destination),
    override: flagOption(searchParams, "override"),
    rename: flagOption(searchParams, "rename"),
  };
}

/**
 * The path of a destination, which File Browser's clients percent-encode twice: as a path, then as
 * a value of the query (`/v w/a` is sent as `%2Fv%2520w%2Fa`). Where the second decoding is not
 * possible, as for `100%`, the first stands. Some encode the slashes twice as well. Only the result
 * is checked.
 */
function destinationOf(value: string): EntryPath {
  const once = decodeOnce(value);
  const twice = percentDecoded(once);
  if (twice === null) return parsePath(once).path;
  return (once.includes("/") ? parseUrlPath(once) : parsePath(twice)).path;
}

/** A value of the query, not decoded. */
function rawValue(search: string, name: string): string | undefined {
  const pairs = search.slice(1).split("&");
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Decodes strictly, unlike `URLSearchParams`: a malformed escape must not become another name. */
function decodeOnce(value: string): string {
  const text = percentDecoded(value.replaceAll("+", " "));
  if (text !== null) return text;
  throw new DomainError("invalid_path", `Cannot read the destination: it has a bad escape`);
}

/** The options of an upload that a request's headers give. */
export function uploadOptions(req: Request): Omit<UploadOptions, "override"> {
  const length = req.headers.get("content-length");
  return {
    ifMatch: req.headers.get("if-match") ?? undefined,
    expectedLength: length === null ? undefined : Number(length),
    signal: req.signal,
  };
}
