import type { ErrorCode } from "../../../shared/errors.ts";
import type { CallDescription, FoundCall, Tag, TokenRight, Who } from "./call.ts";
import { introduction, tags } from "./document.ts";
import { errorMeanings } from "./error_meanings.ts";
import { headers } from "./answers.ts";
import { jsonLimits } from "./json_body.ts";
import { refusalsOf } from "./operation.ts";
import { parameters } from "./parameters.ts";
import { componentSchemas, limitedBodySchema } from "./schemas.ts";
import { statusOf } from "./statuses.ts";
import type { Answer, Header, MediaType, Parameter, Reference, Schema } from "./types.ts";

const note = "<!-- Made by `deno task docs` from the declarations of the calls in routes/. -->";

const callers: Record<Who, string> = {
  anyone: "anyone, without a session",
  scraper: "the holder of the token for metrics",
  session: "a session",
  enrolling: "a session, also one that has to set up a second factor first",
  admin: "a session of an administrator",
};

const tokens: Record<TokenRight, string> = {
  read: "any API token",
  write: "an API token with the right to write",
  share: "an API token with the right to share",
  "whole read": "an API token that is not bound to a folder",
  "whole write": "an API token with the right to write that is not bound to a folder",
};

/**
 * The reference of the HTTP interface, as pages of Markdown by their file names: an index, a page
 * for each group of calls, one of the objects in bodies and answers, and one of error codes.
 */
export function referencePages(calls: readonly FoundCall[]): Map<string, string> {
  const pages = new Map([
    ["reference.md", indexPage(calls)],
    ["reference-objects.md", linked(objectsPage(), calls)],
    ["reference-errors.md", errorsPage()],
  ]);
  for (const tag of Object.keys(tags) as Tag[]) {
    const own = calls.filter(({ call }) => call.tag === tag);
    const parts = own.map((each) => callPart(each, calls));
    pages.set(fileOf(tag), page(tag, tags[tag], legend, ...parts));
  }
  return pages;
}

const legend = "In tables, \\* marks what a request must have and what an answer always has.";

function page(title: string, ...parts: string[]): string {
  return [note, `# ${title}`, ...parts].join("\n\n") + "\n";
}

function fileOf(tag: Tag): string {
  return `reference-${tag.toLowerCase()}.md`;
}

function indexPage(calls: readonly FoundCall[]): string {
  const lists = (Object.keys(tags) as Tag[]).map((tag) => {
    const rows = calls.filter(({ call }) => call.tag === tag).map((each) =>
      rowOf(linkTo(each), each.call.summary, callerOf(each.call))
    );
    return `## [${tag}](${fileOf(tag)})\n\n${tags[tag]}\n\n` +
      table(["call", "does", "open to"], rows);
  });
  const further = "The [objects](reference-objects.md) in bodies and answers, and the " +
    "[error codes](reference-errors.md), have pages of their own.";
  const limits = `## Bodies of JSON\n\nUnless the call says otherwise: ${jsonLimits}`;
  return page("Reference", linked(introduction, calls), further, limits, ...lists);
}

function errorsPage(): string {
  const codes = (Object.keys(errorMeanings) as ErrorCode[])
    .sort((one, other) => statusOf(one) - statusOf(other));
  const rows = codes.map((code) =>
    rowOf(String(statusOf(code)), `\`${code}\``, errorMeanings[code])
  );
  return page("Error codes", table(["status", "code", "when"], rows));
}

function objectsPage(): string {
  const parts = Object.entries(componentSchemas()).map(([name, schema]) => {
    const { description = "" } = schema;
    const rows = memberTable(schema);
    const body = rows === "" ? `Type: ${typeOf({ ...schema, description: undefined })}` : rows;
    return [`## ${name}`, description, body].filter((part) => part !== "").join("\n\n");
  });
  return page("Objects", legend, ...parts);
}

/** The section of one call. */
function callPart(found: FoundCall, calls: readonly FoundCall[]): string {
  const { method, path, call } = found;
  return [
    `## \`${method} ${path}\``,
    sentence(call.summary),
    linked(call.description ?? "", calls),
    `Open to: ${callerOf(call)}.`,
    linked(parameterPart(call), calls),
    linked(bodyPart(call), calls),
    answerPart(call),
    refusalPart(call),
    call.examples === undefined ? "" : `\`\`\`console\n${call.examples.trim()}\n\`\`\``,
  ].filter((part) => part !== "").join("\n\n");
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}

/** Who may make a call, and which API tokens. */
function callerOf({ who = "session", token, ticket }: CallDescription): string {
  const others = [token && tokens[token], ticket && "a ticket"].filter((each) => each);
  return [callers[who], ...others].join("; ");
}

function parameterPart({ parameters: declared = [] }: CallDescription): string {
  if (declared.length === 0) return "";
  const rows = declared.map((each) => {
    const { name, in: place, required, description, schema } = parameterOf(each);
    const star = required ? "\\*" : "";
    return rowOf(`\`${name}\`${star}`, place, typeOf(schema), description);
  });
  return table(["parameter", "in", "type", "meaning"], rows);
}

function parameterOf(parameter: Parameter | Reference): Parameter {
  return "$ref" in parameter
    ? parameters[lastPart(parameter) as keyof typeof parameters]
    : parameter;
}

function headerOf(header: Header | Reference): Header {
  return "$ref" in header ? headers[lastPart(header) as keyof typeof headers] : header;
}

function lastPart({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

function bodyPart({ body }: CallDescription): string {
  if (!body) return "";
  const needed = body.required ? "required" : "optional";
  if ("content" in body) {
    return `**Body** (${needed}): ${mediaTypes(body.content)}. ${sentence(body.description)}`;
  }
  const schema = limitedBodySchema(body);
  const rows = memberTable(schema);
  const limits = body.description ? ` ${sentence(body.description)}` : "";
  const head = `**Body** (${needed}): JSON, within its [limits](reference.md#bodies-of-json).`;
  return rows === "" ? `${head}${limits} ${typeOf(schema)}.` : `${head}${limits}\n\n${rows}`;
}

function answerPart({ answers }: CallDescription): string {
  const items = Object.entries(answers).map(([status, answer]) => answerItem(status, answer));
  return `**Answers**\n\n${items.join("\n")}`;
}

function answerItem(status: string, { description, headers = {}, content }: Answer): string {
  const body = content ? `; ${mediaTypes(content)}` : "; no body";
  const lines = Object.entries(headers).map(([name, header]) =>
    `  - \`${name}\`: ${sentence(headerOf(header).description)}`
  );
  return [`- **${status}**${body}. ${sentence(description)}`, ...lines].join("\n");
}

function mediaTypes(content: Record<string, MediaType>): string {
  return Object.entries(content).map(([type, { schema }]) =>
    schema ? `\`${type}\`: ${typeOf(schema)}` : `\`${type}\``
  ).join(", ");
}

function refusalPart(call: CallDescription): string {
  const byStatus = Object.groupBy(refusalsOf(call), (code) => String(statusOf(code)));
  const parts = Object.entries(byStatus).map(([status, codes = []]) =>
    `${status} ${codes.map((code) => `\`${code}\``).join(", ")}`
  );
  return `**[Refusals](reference-errors.md)**: ${parts.join("; ")}.`;
}

function linkTo({ method, path, call }: FoundCall): string {
  const anchor = `${method} ${path}`.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
  return `[\`${method} ${path}\`](${fileOf(call.tag)}#${anchor})`;
}

/** A text with links where it names calls. */
function linked(text: string, calls: readonly FoundCall[]): string {
  return text.replace(/`((?:GET|POST|PUT|PATCH|DELETE) \/\S+)`/g, (code, name) => {
    const found = calls.find(({ method, path }) => `${method} ${path}` === name);
    return found ? linkTo(found) : code;
  });
}

/** What the schemas of `@valibot/to-json-schema` may have besides. */
type AnySchema = Schema & { oneOf?: Schema[]; allOf?: Schema[] };

/** A table of Markdown. */
function table(head: readonly string[], rows: readonly string[]): string {
  return [rowOf(...head), rowOf(...head.map(() => "---")), ...rows].join("\n");
}

/** A row of a table, with its text kept inside its cells. */
function rowOf(...cells: string[]): string {
  const escaped = cells.map((cell) => cell.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " "));
  return `| ${escaped.join(" | ")} |`;
}

/** The members of an object, at any depth, with their types, limits and meanings; "" for others. */
function memberTable(schema: Schema): string {
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
function typeOf(schema: AnySchema): string {
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
  if (schema.enum) {
    return `${schema.enum.length > 1 ? "one of " : ""}${schema.enum.map(codeOf).join(", ")}`;
  }
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
