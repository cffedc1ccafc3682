import { DomainError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import { type BodyLimits, readBody } from "./body.ts";

/**
 * Reads a request's body as JSON, with limits.
 *
 * @throws DomainError `body_too_large`; `invalid_json`; `invalid_body` when it times out
 */
export async function readJson(req: Request, limits: BodyLimits = {}): Promise<unknown> {
  const body = await readBody(req, limits);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new DomainError("invalid_json", "Cannot read the request: its body is not valid JSON");
  }
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
  const value = await readJson(req, limits);
  if (!isRecord(value)) {
    throw new DomainError("invalid_json", "Cannot read the request: its body is not an object");
  }
  return value;
}

/**
 * As {@linkcode readJsonObject}; an object without members for a request that has no body or, as
 * some clients send it, one of no length.
 *
 * @throws DomainError as `readJsonObject()`
 */
export async function readOptionalObject(req: Request): Promise<Record<string, unknown>> {
  const isEmpty = req.body === null || req.headers.get("content-length") === "0";
  return isEmpty ? {} : await readJsonObject(req);
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
