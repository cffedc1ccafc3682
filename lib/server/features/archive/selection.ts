import { isInside, joinPaths, parentOf, parsePath } from "../../../shared/path.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";

/**
 * Reads `files=` as clients send it: comma-separated names below the folder, each percent-encoded
 * once more than the query itself, so that a name may contain a comma.
 *
 * @param folder the folder that the URL names
 * @param lists all `files` values of the query, decoded once
 * @returns each path once; null without any `files`
 * @throws {DomainError} `invalid_option` for an empty name or a bad escape, `invalid_path`
 */
export function readSelection(folder: EntryPath, lists: string[]): EntryPath[] | null {
  if (lists.length === 0) return null;
  const paths = lists.flatMap((list) => list.split(",")).map((name) => readName(folder, name));
  return [...new Set(paths)];
}

/** A form that names entries of a folder, as it was received. */
export interface SelectionForm {
  body: Uint8Array<ArrayBuffer>;
  /** Its media type. */
  type: string;
  folder: EntryPath;
}

/** Most fields of a form: a million empty ones take seconds. Each has any number of names. */
const maxFields = 10_000;

/** Lines of a field in `multipart/form-data`: its boundary, its header, none, and its value. */
const linesOfField = 4;

const [ampersand, newline] = new TextEncoder().encode("&\n");

/**
 * Reads the fields `files` of a form, encoded as for {@linkcode readSelection}.
 *
 * @throws {DomainError} `invalid_body` when it is no form, has no `files` or too many fields; as
 * `readSelection()`
 */
export async function readForm({ body, type, folder }: SelectionForm): Promise<EntryPath[]> {
  const isMultipart = /^\s*multipart\//i.test(type);
  const [end, max] = isMultipart ? [newline, maxFields * linesOfField] : [ampersand, maxFields];
  if (countOf(body, end) > max) throw badFormError(`it has over ${maxFields} fields`);
  const response = new Response(body, { headers: { "content-type": type } });
  const form = await response.formData().catch(() => null);
  const lists = form?.getAll("files").filter((value) => typeof value === "string") ?? [];
  const chosen = readSelection(folder, lists);
  if (chosen) return chosen;
  throw badFormError('it has no field "files"');
}

function countOf(bytes: Uint8Array, sought = 0): number {
  let count = 0;
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1)) count++;
  return count;
}

function badFormError(reason: string): DomainError {
  return new DomainError("invalid_body", `Cannot read the form: ${reason}`);
}

/**
 * The folder that names in an archive are relative to: the deepest that contains the whole
 * selection. A single folder is itself the base, as when the URL names it.
 */
export function commonFolder(paths: readonly EntryPath[]): EntryPath {
  const [first, second] = paths;
  if (first === undefined) throw new Error("Cannot find the common folder: nothing is selected");
  if (second === undefined) return parentOf(first);
  let common = parentOf(first);
  while (!paths.every((path) => isInside(path, common))) common = parentOf(common);
  return common;
}

/** Drops paths below another selected one: its folder includes them. */
export function withoutNested(paths: EntryPath[]): EntryPath[] {
  const chosen = new Set(paths);
  return paths.filter((path) => {
    for (let above = parentOf(path); above !== "/"; above = parentOf(above)) {
      if (chosen.has(above)) return false;
    }
    return true;
  });
}

function readName(folder: EntryPath, name: string): EntryPath {
  const path = joinPaths(folder, parsePath(decode(name)).path);
  if (path !== folder) return path;
  throw new DomainError("invalid_option", "Cannot archive the selection: a name in it is empty");
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    const reason = `"${name}" has a bad escape`;
    throw new DomainError("invalid_option", `Cannot archive the selection: ${reason}`);
  }
}
