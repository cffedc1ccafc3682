import { resolve } from "node:path";
import { DomainError } from "../../shared/errors.ts";
import type { Call } from "./command.ts";

/**
 * Reads a JSON file named on the command line.
 *
 * @throws DomainError `not_found`, `invalid_json`
 */
export async function readJsonFile({ cwd }: Call, name: string): Promise<unknown> {
  let text: string;
  try {
    text = await Deno.readTextFile(resolve(cwd, name));
  } catch {
    throw new DomainError(
      "not_found",
      `Cannot read "${name}": it does not exist or cannot be read`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    const isYaml = /\.ya?ml$/i.test(name);
    throw new DomainError(
      "invalid_json",
      `Cannot read "${name}": it is not valid JSON${isYaml ? "; export into a .json file" : ""}`,
    );
  }
}

/**
 * Writes a new JSON file that only its owner may read: it contains password hashes.
 *
 * @throws DomainError `exists`; `forbidden` when it cannot be written
 */
export async function writeJsonFile({ cwd }: Call, name: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  try {
    await Deno.writeTextFile(resolve(cwd, name), text, { createNew: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new DomainError("exists", `Cannot write "${name}": it exists already`);
    }
    throw new DomainError("forbidden", `Cannot write "${name}": it cannot be created`);
  }
}
