import type { Context } from "fresh";
import { sizeRequestSchema } from "../../../shared/schemas/size.ts";
import { read } from "../../../shared/schemas/read.ts";
import type { State } from "../../define.ts";
import { readJsonObject } from "./json_body.ts";

/** The longest body: about 100,000 names of 40 letters, to arrive within a minute. */
const longest = { bytes: 4 * 1024 * 1024, values: 100_010, milliseconds: 60_000 };

/**
 * Reads which entries of a folder are to be measured.
 *
 * @returns their paths from the folder on, as they were sent
 * @throws {DomainError} `invalid_json`, `invalid_body`, `body_too_large`
 */
export async function readSizeRequest(ctx: Context<State>): Promise<string[]> {
  const { names } = read(sizeRequestSchema, await readJsonObject(ctx, longest));
  return names;
}
