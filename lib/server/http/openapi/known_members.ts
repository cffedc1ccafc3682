import { DomainError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import type { JsonBody } from "./json_body.ts";
import { bodySchema, componentSchemas, type SchemaName } from "./schemas.ts";
import type { Schema } from "./types.ts";

/** Schemas of what browsers write, each by its own version of WebAuthn. */
const ofBrowsers: ReadonlySet<SchemaName> = new Set(["NewPasskey", "PasskeyAnswer"]);

/** What a schema may have besides: unions are written by `@valibot/to-json-schema`. */
type AnySchema = Schema & { anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[] };

/** Schemas of bodies as JSON Schema. */
const converted = new WeakMap<JsonBody, Schema>();

/**
 * Refuses a body with a member that its call does not declare, at any depth: ignored, a typo such
 * as `passwort` would make a link that anybody opens.
 *
 * @throws DomainError `invalid_body`, which names the first such member
 */
export function checkKnownMembers(declared: JsonBody, body: unknown): void {
  const schema = converted.get(declared) ?? bodySchema(declared);
  converted.set(declared, schema);
  const unknown = unknownIn(body, [schema], declared.lenientAt);
  if (unknown === null) return;
  const name = JSON.stringify(unknown);
  throw new DomainError(
    "invalid_body",
    `Cannot read the request: unknown member ${name} in its body`,
  );
}

/** The path of the first member that none of the schemas has; null where there is none. */
function unknownIn(
  value: unknown,
  schemas: readonly Schema[],
  lenientAt: readonly string[] = [],
  place = "",
): string | null {
  const all = schemas.flatMap((schema) => parts(schema));
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items = [] }) => items);
    // A hundred thousand texts need not be looked at one by one.
    if (!items.flatMap((item) => parts(item)).some(hasParts)) return null;
    for (const [index, item] of value.entries()) {
      const unknown = unknownIn(item, items, lenientAt, `${place}[${index}]`);
      if (unknown !== null) return unknown;
    }
    return null;
  }
  const objects = all.filter(({ properties, additionalProperties }) =>
    properties || additionalProperties
  );
  if (!isRecord(value) || objects.length === 0) return null;
  const isLenient = lenientAt.includes(place.replace(/\[\d+\]/g, "[]"));
  for (const [name, member] of Object.entries(value)) {
    const at = place === "" ? name : `${place}.${name}`;
    const of = objects.flatMap(({ properties = {}, additionalProperties: other = false }) =>
      Object.hasOwn(properties, name) ? properties[name] ?? [] : other === true ? {} : other || []
    );
    if (of.length === 0 && isLenient) continue;
    if (of.length === 0) return at;
    const unknown = unknownIn(member, of, lenientAt, at);
    if (unknown !== null) return unknown;
  }
  return null;
}

function hasParts({ properties, additionalProperties, items }: Schema): boolean {
  return Boolean(properties || additionalProperties || items);
}

/** A schema with its references followed and its unions spread. */
function parts(schema: AnySchema): Schema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const name = $ref?.slice($ref.lastIndexOf("/") + 1);
  if (name && ofBrowsers.has(name as SchemaName)) return [{ additionalProperties: true }];
  const named = name && componentSchemas()[name];
  const further = [...named ? [named] : [], ...anyOf, ...oneOf, ...allOf];
  return [schema, ...further.flatMap(parts)];
}
