import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import { mostHashedPaths } from "../../../shared/schemas/choices/choices.ts";
import type { State } from "../../define.ts";
import { readJsonObject } from "./json_body.ts";

/**
 * The `paths` of a request for ThumbHashes, each as it was sent and as it was read.
 *
 * @throws DomainError `body_too_large`; `invalid_json`; `invalid_body` for more than 200, or for
 * what is no list of texts; `invalid_path`
 */
export async function hashedPaths(
  ctx: Context<State>,
): Promise<[sent: string, path: EntryPath][]> {
  const { paths } = await readJsonObject(ctx);
  if (!Array.isArray(paths) || paths.length > mostHashedPaths) {
    throw new DomainError(
      "invalid_body",
      `Cannot read paths: it must be a list of at most ${mostHashedPaths}`,
    );
  }
  return paths.map((path: unknown) => {
    if (typeof path === "string") return [path, parsePath(path).path];
    throw new DomainError("invalid_body", "Cannot read paths: it must be a list of texts");
  });
}
