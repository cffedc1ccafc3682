import { DomainError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import { type BodyLimits, readBody } from "./body.ts";

const [quote, backslash, comma, brace, bracket] = new TextEncoder().encode('"\\,{[');

/**
 * Reads a request's body as JSON, with limits.
 *
 * @throws DomainError `body_too_large`; `invalid_json`; `invalid_body` when it times out
 */
export async function readJson(req: Request, limits: BodyLimits = {}): Promise<unknown> {
  return parse(await readBody(req, limits));
}

/**
 * Reads a body that must be one JSON object.
 *
 * @throws DomainError as `readJson()`; `invalid_json` for any other value
 */
export async function readJsonObject(
  req: Request,
  limits?: BodyLimits,
): Promise<Record<string, unknown>> {
  return asObject(await readJson(req, limits));
}

/**
 * As {@linkcode readJsonObject}; an object without members when the body is empty. Over HTTP even a
 * request without a body has one, of no length.
 *
 * @throws DomainError as `readJsonObject()`
 */
export async function readOptionalObject(req: Request): Promise<Record<string, unknown>> {
  const body = await readBody(req);
  return body.length === 0 ? {} : parseJsonObject(body);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new DomainError("invalid_json", "Cannot read the request: its body is not valid JSON");
  }
}

function asObject(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new DomainError("invalid_json", "Cannot read the request: its body is not an object");
}

/**
 * Refuses JSON of too many values before it is parsed: a long list of empty objects takes dozens of
 * times the memory of its text, and seconds.
 *
 * @throws {DomainError} `invalid_body`
 */
export function checkValueCount(body: Uint8Array, most: number): void {
  let count = 0;
  let isText = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === quote) isText = !isText;
    else if (isText) index += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === brace || byte === bracket) count++;
  }
  if (count <= most) return;
  throw new DomainError("invalid_body", `Cannot read the request: it has over ${most} values`);
}

/**
 * Reads a body that was received whole: it must be one JSON object.
 *
 * @throws DomainError `invalid_json`
 */
export function parseJsonObject(body: Uint8Array): Record<string, unknown> {
  return asObject(parse(body));
}

/**
 * A text field of a JSON object.
 *
 * @throws DomainError `invalid_json` when it is missing or not text
 */
export function textField(object: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (typeof value === "string") return value;
  throw new DomainError("invalid_json", `Cannot read the request: "${name}" must be text`);
}

/**
 * A text field of a JSON object; "" when it is missing or null.
 *
 * @throws DomainError `invalid_json` when it is not text
 */
export function optionalText(object: Record<string, unknown>, name: string): string {
  const isMissing = !Object.hasOwn(object, name) || object[name] === null;
  return isMissing ? "" : textField(object, name);
}
