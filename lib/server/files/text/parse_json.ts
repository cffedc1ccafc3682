import { DomainError } from "../../../shared/errors.ts";

/** Deepest nesting of lists and objects. No call takes more than a handful. */
const maxDepth = 32;

/** Most members of all objects: large objects take a hundred times the time of their text. */
const maxMembers = 10_000;

const [quote, backslash, comma, colon] = new TextEncoder().encode('"\\,:');
const [openList, closeList, openObject, closeObject] = new TextEncoder().encode("[]{}");

/**
 * Parses JSON in UTF-8, within bounds that are checked before: nested lists and lists of small
 * values take dozens of times the memory of their text, and a hundred times the time. Of members
 * there are at most {@linkcode maxMembers}, whatever the bound of values.
 *
 * @param maxValues most values and members in all
 * @throws {DomainError} `invalid_json`; `invalid_body` for what is beyond the bounds
 */
export function parseJson(body: Uint8Array, maxValues: number): unknown {
  checkBounds(body, maxValues);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new DomainError("invalid_json", "Cannot read the request: its body is not valid JSON");
  }
}

function checkBounds(body: Uint8Array, maxValues: number): void {
  let [count, members, depth] = [1, 0, 0];
  let isText = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === quote) isText = !isText;
    else if (isText) index += byte === backslash ? 1 : 0;
    else if (byte === comma) count++;
    else if (byte === colon) members++;
    else if (byte === openList || byte === openObject) {
      count++;
      if (++depth > maxDepth) {
        throw outOfBoundsError(`it nests deeper than ${maxDepth} lists and objects`);
      }
    } else if (byte === closeList || byte === closeObject) depth--;
    if (count > maxValues) throw outOfBoundsError(`it has over ${maxValues} values`);
    if (members > maxMembers) throw outOfBoundsError(`it has over ${maxMembers} members`);
  }
}

function outOfBoundsError(reason: string): DomainError {
  return new DomainError("invalid_body", `Cannot read the request: ${reason}`);
}
