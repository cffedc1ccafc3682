import { type EntryPath, parsePath } from "../../../shared/path.ts";
import { sizeRequestSchema } from "../../../shared/schemas/size.ts";
import { read } from "../../../shared/schemas/read.ts";
import { readBody } from "./body.ts";
import { checkValueCount, parseJsonObject } from "./json_body.ts";

/** The longest body: about 100,000 names of 40 letters, to arrive within a minute. */
const longest = { bytes: 4 * 1024 * 1024, milliseconds: 60_000 };

/** Most values in it: some more than the most names. */
const mostValues = 100_010;

/**
 * Reads which entries of a folder are to be measured.
 *
 * @returns their paths from the folder on
 * @throws {DomainError} `invalid_json`, `invalid_body`, `body_too_large`, `invalid_path`
 */
export async function readSizeRequest(req: Request): Promise<EntryPath[]> {
  const body = await readBody(req, longest);
  checkValueCount(body, mostValues);
  const { names } = read(sizeRequestSchema, parseJsonObject(body));
  return names.map((name) => parsePath(name).path);
}
