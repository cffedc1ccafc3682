import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import type { State } from "../define.ts";
import { readBody } from "./body.ts";
import type { JsonBody } from "../openapi/json_body.ts";
import { parseJson } from "../../files/text/parse_json.ts";

/** Most values of a body, unless its call says so. */
const maxValues = 10_000;

/** Bodies over this size are parsed in a Worker, in bytes: others wait for no longer than for this. */
const maxInlineParseBytes = 256 * 1024;

/**
 * Reads a request's body as its call declares it: one JSON object, within its limits, without other
 * members. A large one is parsed outside of the serving thread. Over HTTP even a request without a
 * body has one, of no length: an object without members, where a body is not required.
 *
 * @throws DomainError `body_too_large`; `invalid_json`, also for another value; `invalid_body` when
 * it times out, has too many values or an unknown member; `busy`
 */
export async function readJsonBody(
  ctx: Context<State>,
  declared: JsonBody,
): Promise<Record<string, unknown>> {
  const { values = maxValues, ...limits } = declared.limits ?? {};
  const body = await readBody(ctx, limits);
  if (body.length === 0 && !declared.required) return {};
  const object = asObject(await parse(ctx, body, values));
  await checkMembers(declared, object);
  return object;
}

/**
 * Refuses a body with a member that its call does not declare.
 *
 * @throws DomainError `invalid_body`
 */
export async function checkMembers(declared: JsonBody, body: unknown): Promise<void> {
  const { checkKnownMembers } = await import("../openapi/known_members.ts");
  checkKnownMembers(declared, body);
}

/** @param body its buffer may be transferred */
async function parse(
  { req, state }: Context<State>,
  body: Uint8Array<ArrayBuffer>,
  values: number,
): Promise<unknown> {
  if (body.length <= maxInlineParseBytes) return parseJson(body, values);
  const options = { signal: req.signal, transfer: [body.buffer] };
  return await state.cubby.listingWorker.parseJson({ body, maxValues: values }, options);
}

/**
 * Reads a body that was received whole: it must be one JSON object.
 *
 * @param values most values and members in all
 * @throws DomainError `invalid_json`; `invalid_body` when it has too many values
 */
export function parseJsonObject(body: Uint8Array, values = maxValues): Record<string, unknown> {
  return asObject(parseJson(body, values));
}

function asObject(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new DomainError("invalid_json", "Cannot read the request: its body is not an object");
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
