import { DomainError } from "../../shared/errors.ts";
import { isRecord } from "../../shared/schemas/read.ts";
import type { Schema } from "./types.ts";

/**
 * The calls that File Browser's clients make with a body, by their ids in the API document, with
 * the objects that those clients fill. Versions of them send members that mean nothing here: there
 * they are ignored, as File Browser does. Other objects in these bodies are of Cubby alone.
 */
const lenient: Readonly<Record<string, readonly string[]>> = {
  login: [""],
  signUp: [""],
  ...ofUser("addUser"),
  ...ofUser("changeUser"),
  changeSettings: [""],
};

function ofUser(call: string) {
  const objects = ["perm", "sorting", "rules[]", "rules[].regexp"].map((name) => `data.${name}`);
  return { [call]: ["", "data", ...objects] };
}

/** Bodies and members that browsers fill, each by its own version of WebAuthn. */
const ofBrowsers: ReadonlySet<string> = new Set(["loginByPasskey", "credential", "passkey"]);

/** A body as the API document has it, for one call. */
interface DeclaredBody {
  id: string;
  schema: Schema;
}

/** What a schema may have besides: unions are written by `@valibot/to-json-schema`. */
type AnySchema = Schema & { anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[] };

interface Declared {
  /** By method and route, as {@linkcode nameOfCall} writes them. */
  bodies: ReadonlyMap<string, DeclaredBody>;
  components: Readonly<Record<string, Schema>>;
}

let declared: Promise<Declared> | undefined;

/**
 * Refuses a body with a member that its call does not have, at any depth: ignored, a typo such as
 * `passwort` would make a link that anybody opens. The members are those of the API document.
 *
 * @param route the pattern that matched, without the base path
 * @throws DomainError `invalid_body`, which names the first such member
 */
export async function checkKnownMembers(
  method: string,
  route: string,
  body: unknown,
): Promise<void> {
  const { bodies, components } = await (declared ??= load());
  const found = bodies.get(nameOfCall(method, route));
  if (!found || ofBrowsers.has(found.id)) return;
  const unknown = unknownIn(body, [found.schema], components, lenient[found.id]);
  if (unknown === null) return;
  const name = JSON.stringify(unknown);
  throw new DomainError(
    "invalid_body",
    `Cannot read the request: ${name} is no member of its body`,
  );
}

/** Loaded with the first body: the document is large. */
async function load(): Promise<Declared> {
  const { apiDocument } = await import("./document.ts");
  const { paths, components } = apiDocument("");
  const bodies = new Map<string, DeclaredBody>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const schema = operation.requestBody?.content["application/json"]?.schema;
      if (schema) bodies.set(nameOfCall(method, path), { id: operation.operationId, schema });
    }
  }
  return { bodies, components: components.schemas };
}

/**
 * A call by its method and its route, in one spelling for patterns of routes and for paths of the
 * document: `POST /api/share/*`, `PATCH /api/jobs/:`.
 */
function nameOfCall(method: string, route: string): string {
  const path = route.replace(/\/\*\?$|\/\{path\}$/, "/*")
    .replace(/\{\w+\}|:\w+/g, ":");
  return `${method.toUpperCase()} ${path}`;
}

/** The path of the first member that none of the schemas has; null where there is none. */
function unknownIn(
  value: unknown,
  schemas: readonly Schema[],
  components: Declared["components"],
  lenientAt: readonly string[] = [],
  place = "",
): string | null {
  const all = schemas.flatMap((schema) => parts(schema, components));
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items = [] }) => items);
    // A hundred thousand texts need not be looked at one by one.
    if (!items.flatMap((item) => parts(item, components)).some(hasParts)) return null;
    for (const [index, item] of value.entries()) {
      const unknown = unknownIn(item, items, components, lenientAt, `${place}[${index}]`);
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
    if (ofBrowsers.has(name) && place === "") continue;
    const at = place === "" ? name : `${place}.${name}`;
    const of = objects.flatMap(({ properties = {}, additionalProperties: other = false }) =>
      Object.hasOwn(properties, name) ? properties[name] ?? [] : other === true ? {} : other || []
    );
    if (of.length === 0 && isLenient) continue;
    if (of.length === 0) return at;
    const unknown = unknownIn(member, of, components, lenientAt, at);
    if (unknown !== null) return unknown;
  }
  return null;
}

function hasParts({ properties, additionalProperties, items }: Schema): boolean {
  return Boolean(properties || additionalProperties || items);
}

/** A schema with its references followed and its unions spread. */
function parts(schema: AnySchema, components: Declared["components"]): Schema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const named = $ref && components[$ref.slice($ref.lastIndexOf("/") + 1)];
  const further = [...named ? [named] : [], ...anyOf, ...oneOf, ...allOf];
  return [schema, ...further.flatMap((each) => parts(each, components))];
}
