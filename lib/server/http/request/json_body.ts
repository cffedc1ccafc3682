import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import type { State } from "../../define.ts";
import { readBody } from "./body.ts";
import type { JsonBody } from "../../openapi/json_body.ts";
import { parseJson } from "../../text/parse_json.ts";

/** Most values of a body, unless its call says so. */
const mostValues = 10_000;

/** Bodies over this size are parsed in a Worker, in bytes: others wait for no longer than for this. */
const longestParsedHere = 256 * 1024;

/**
 * Refuses a body with a member that its call does not declare.
 *
 * @throws DomainError `invalid_body`
 */
export async function checkMembers({ state }: Context<State>, body: unknown): Promise<void> {
  const declared = declaredBody(state);
  if (!declared) return;
  const { checkKnownMembers } = await import("../../openapi/known_members.ts");
  checkKnownMembers(declared, body);
}

function declaredBody({ call }: State): JsonBody | undefined {
  return call?.body && "schema" in call.body ? call.body : undefined;
}

/**
 * Reads a request's body as JSON, with the limits that its call declares. A large one is parsed outside of the serving thread.
 *
 * @throws DomainError `body_too_large`; `invalid_json`; `invalid_body` when it times out, or has too
 * many values; `busy`
 */
export async function readJson(ctx: Context<State>): Promise<unknown> {
  const { values = mostValues, ...limits } = declaredBody(ctx.state)?.limits ?? {};
  return await parse(ctx, await readBody(ctx, limits), values);
}

/** @param body its buffer may be transferred */
async function parse(
  { req, state }: Context<State>,
  body: Uint8Array<ArrayBuffer>,
  values: number,
): Promise<unknown> {
  if (body.length <= longestParsedHere) return parseJson(body, values);
  return await state.cubby.listingWorker.parseJson(body, values, req.signal);
}

/**
 * Reads a body that must be one JSON object, and has no member that its call does not have.
 *
 * @throws DomainError as `readJson()`; `invalid_json` for any other value; as `checkMembers()`
 */
export async function readJsonObject(ctx: Context<State>): Promise<Record<string, unknown>> {
  const body = asObject(await readJson(ctx));
  await checkMembers(ctx, body);
  return body;
}

/**
 * As {@linkcode readJsonObject}; an object without members when the body is empty. Over HTTP even a
 * request without a body has one, of no length.
 *
 * @throws DomainError as `readJsonObject()`
 */
export async function readOptionalObject(ctx: Context<State>): Promise<Record<string, unknown>> {
  const body = await readBody(ctx);
  if (body.length === 0) return {};
  const object = asObject(await parse(ctx, body, mostValues));
  await checkMembers(ctx, object);
  return object;
}

/**
 * Reads a body that was received whole: it must be one JSON object.
 *
 * @param values most values and members in all
 * @throws DomainError `invalid_json`; `invalid_body` when it has too many values
 */
export function parseJsonObject(body: Uint8Array, values = mostValues): Record<string, unknown> {
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
