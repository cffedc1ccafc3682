import type { Schema } from "./types.ts";

/** What the schemas of `@valibot/to-json-schema` may have besides. */
type AnySchema = Schema & { oneOf?: Schema[]; allOf?: Schema[] };

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly string[]): string {
  return [rowOf(...head), rowOf(...head.map(() => "---")), ...rows].join("\n");
}

/** A row of a table, with its text kept inside its cells. */
export function rowOf(...cells: string[]): string {
  const escaped = cells.map((cell) => cell.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " "));
  return `| ${escaped.join(" | ")} |`;
}

/** The members of an object, at any depth, with their types, limits and meanings; "" for others. */
export function memberTable(schema: Schema): string {
  const rows = memberRows(schema, "");
  return rows.length === 0 ? "" : table(["member", "type", "meaning"], rows);
}

function memberRows(schema: Schema, prefix: string): string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    const star = required.includes(name) ? "\\*" : "";
    const row = rowOf(`\`${prefix}${name}\`${star}`, typeOf(member), meaningOf(member));
    return [row, ...rowsBelow(member, `${prefix}${name}`)];
  });
}

/** The rows of objects in a member: `a.b`, in a list `a[].b`. */
function rowsBelow(member: AnySchema, path: string): string[] {
  const { items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = member;
  const rows = [...anyOf, ...oneOf, ...allOf].flatMap((each) => rowsBelow(each, path));
  if (items) rows.push(...rowsBelow(items, `${path}[]`));
  if (typeof additionalProperties === "object") {
    rows.push(...rowsBelow(additionalProperties, `${path}{}`));
  }
  if (member.properties) rows.push(...memberRows(member, `${path}.`));
  return [...new Set(rows)];
}

function meaningOf(schema: AnySchema): string {
  const { description, default: preset, examples = [], anyOf = [] } = schema;
  const [example] = examples;
  return [
    description ?? anyOf.map((each) => each.description).find((text) => text) ?? "",
    preset === undefined ? "" : `Default: ${codeOf(preset)}.`,
    example === undefined ? "" : `Example: ${codeOf(example)}.`,
  ].filter((text) => text !== "").join(" ");
}

/** The type of a value with its limits, in words. */
export function typeOf(schema: AnySchema): string {
  const { $ref, anyOf, oneOf, allOf, items, additionalProperties } = schema;
  if ($ref) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return `[${name}](reference-objects.md#${name.toLowerCase()})`;
  }
  const options = anyOf ?? oneOf ?? allOf;
  if (options) {
    const types = [...new Set(options.map((each) => typeOf(each)))];
    const comma = types.some((type) => type.includes(",")) ? "," : "";
    return types.join(allOf ? " and " : `${comma} or `);
  }
  if (schema.enum) return `one of ${schema.enum.map(codeOf).join(", ")}`;
  if (schema.const !== undefined) return codeOf(schema.const);
  const limits = limitsOf(schema);
  if (items) {
    const type = typeOf(items);
    return `list of ${type.includes(" or ") ? `(${type})` : type}${limits}`;
  }
  if (typeof additionalProperties === "object" && !schema.properties) {
    return `object of ${typeOf(additionalProperties)}${limits}`;
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "any"];
  const format = schema.format === "date-time" ? " (RFC 3339)" : "";
  return `${types.join(" or ")}${format}${limits}`;
}

function codeOf(value: unknown): string {
  return `\`${typeof value === "string" && value !== "" ? value : JSON.stringify(value)}\``;
}

function limitsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const limits = [
    rangeOf(minimum, maximum, ""),
    rangeOf(minLength, maxLength, " characters"),
    rangeOf(minItems, maxItems, " items"),
    pattern === undefined ? "" : `\`${pattern}\``,
  ].filter((limit) => limit !== "");
  return limits.length === 0 ? "" : `, ${limits.join(", ")}`;
}

function rangeOf(from: number | undefined, to: number | undefined, unit: string): string {
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return `at least ${from}${unit}`;
  if (from === undefined) return `at most ${to}${unit}`;
  return `${from} to ${to}${unit}`;
}
