import type { GenericSchema } from "valibot";
import type { FoundCall } from "../lib/server/http/openapi/call.ts";
import { apiDocument } from "../lib/server/http/openapi/document.ts";
import { componentShapes } from "../lib/server/http/openapi/schemas.ts";
import type {
  ApiDocument,
  Operation,
  Parameter,
  Reference,
  Schema,
} from "../lib/server/http/openapi/types.ts";

/** What the schemas of `@valibot/to-json-schema` may have besides. */
type AnySchema = Schema & { oneOf?: Schema[]; allOf?: Schema[] };

const schemas = new URL("../lib/shared/schemas/", import.meta.url);

/**
 * The types of the query, the JSON body and the JSON answer of each call, for the browser's client.
 * A schema of lib/shared/schemas is referred to, so that server and browser have the same type.
 */
export async function clientTypes(calls: readonly FoundCall[]): Promise<string> {
  const document = apiDocument("", calls);
  const lines = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      `  "${method.toUpperCase()} ${path}": ${callType(document, operation)};\n`
    )
  );
  return `// Made by \`deno task docs\` from the declarations of the calls in routes/.
// deno-fmt-ignore-file
${await componentTypes(document, lines.join(""))}
/** The query, the JSON body and the JSON answer of each call. */
export interface DeclaredCalls {
${lines.join("")}}
`;
}

function callType(
  document: ApiDocument,
  { parameters = [], requestBody, responses, security }: Operation,
): string {
  const asked = parameters.map((each) => resolved(document, each))
    .filter((each) => each.in === "query");
  const query = asked.map(({ name, required, schema }) => member(name, schema, required, ""));
  if (security.some(({ ticket }) => ticket)) query.push("auth?: string");
  const key = query.length === 0
    ? "query?: never"
    : `query${asked.some(({ required }) => required) ? "" : "?"}: ${object(query)}`;
  const body = requestBody?.content["application/json"]?.schema;
  const json = body
    ? `json${requestBody?.required ? "" : "?"}: ${typeOf(body, "readonly ")}`
    : "json?: never";
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400)
    .flatMap(([, { content }]) => content?.["application/json"]?.schema ?? []);
  const answer = union(answers, "") || "never";
  return `{ ${key}; ${json}; answer: ${answer} }`;
}

function resolved({ components }: ApiDocument, given: Parameter | Reference): Parameter {
  const parameter = "$ref" in given ? components.parameters[componentOf(given.$ref)] : given;
  if (!parameter) throw new Error(`Cannot find the parameter ${JSON.stringify(given)}`);
  return parameter;
}

/** The types of the components that a text refers to, and of those that they refer to. */
async function componentTypes(document: ApiDocument, text: string): Promise<string> {
  const exported = await exportedSchemas();
  const imports = new Map<string, string[]>();
  const types = new Map<string, string>();
  const add = (text: string) => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (types.has(name) || !new RegExp(`\\b${name}\\b(?!")`).test(text)) continue;
      const shape = (componentShapes as Record<string, GenericSchema>)[name];
      const from = shape && exported.get(shape);
      const type = from ? `InferOutput<typeof ${from.name}>` : typeOf(schema);
      types.set(name, `type ${name} = ${type};\n`);
      if (!from) add(type);
      else imports.set(from.file, [...imports.get(from.file) ?? [], from.name].sort());
    }
  };
  add(text);
  const lines = [...imports].sort().map(([file, names]) =>
    `import type { ${names.join(", ")} } from "../../../shared/schemas/${file}";\n`
  );
  return `import type { InferOutput } from "valibot";\n${lines.join("")}
${[...types.values()].sort().join("")}`;
}

/** The schemas that files of lib/shared/schemas export. */
async function exportedSchemas(): Promise<Map<unknown, { name: string; file: string }>> {
  const found = new Map<unknown, { name: string; file: string }>();
  for await (const { name: file, isFile } of Deno.readDir(schemas)) {
    const module = isFile ? await import(new URL(file, schemas).href) : {};
    for (const [name, value] of Object.entries(module)) found.set(value, { name, file });
  }
  return found;
}

/** The type of a value in TypeScript. @param mode of its lists: those that are sent may be constant */
function typeOf(schema: AnySchema, mode: "" | "readonly " = ""): string {
  const { $ref, anyOf, oneOf, allOf, items, properties, additionalProperties, required } = schema;
  if ($ref) return componentOf($ref);
  if (allOf) return allOf.map((each) => `(${typeOf(each, mode)})`).join(" & ");
  const options = anyOf ?? oneOf;
  if (options) return union(options, mode);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (items) {
    const type = typeOf(items, mode);
    return mode + (/^\w+$/.test(type) ? type : `(${type})`) + "[]";
  }
  if (properties) {
    const members = Object.entries(properties);
    return object(
      members.map(([name, each]) => member(name, each, required?.includes(name), mode)),
    );
  }
  if (typeof additionalProperties === "object") {
    return `Record<string, ${typeOf(additionalProperties, mode)}>`;
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "unknown"];
  return types.map((type) => type === "integer" ? "number" : type).join(" | ");
}

function member(name: string, schema: AnySchema, required = false, mode: "" | "readonly "): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${key}${required ? "" : "?"}: ${typeOf(schema, mode)}`;
}

function object(members: readonly string[]): string {
  return members.length === 0 ? "object" : `{ ${members.join("; ")} }`;
}

function union(schemas: readonly AnySchema[], mode: "" | "readonly "): string {
  return [...new Set(schemas.map((each) => typeOf(each, mode)))].join(" | ");
}

function componentOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
