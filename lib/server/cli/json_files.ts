import { resolve } from "node:path";
import { DomainError } from "../../shared/errors.ts";
import type { Call } from "./command.ts";

/**
 * Reads a file of JSON that the administrator names.
 *
 * @throws DomainError `not_found`, `invalid_json`
 */
export async function readJsonFile({ cwd }: Call, name: string): Promise<unknown> {
  let text: string;
  try {
    text = await Deno.readTextFile(resolve(cwd, name));
  } catch {
    throw new DomainError("not_found", `Cannot read "${name}": it is not there, or not for you`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("invalid_json", `Cannot read "${name}": it is not valid JSON`);
  }
}

/**
 * Writes a new file of JSON that its owner alone may read: it holds hashes of passwords.
 *
 * @throws DomainError `exists`; `forbidden` when it cannot be written
 */
export async function writeJsonFile({ cwd }: Call, name: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  try {
    await Deno.writeTextFile(resolve(cwd, name), text, { createNew: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new DomainError("exists", `Cannot write "${name}": it is there already`);
    }
    throw new DomainError("forbidden", `Cannot write "${name}": it cannot be made there`);
  }
}
