import type { ErrorCode } from "../../../shared/errors.ts";
import type { CallDescription, FoundCall, Tag, TokenRight, Who } from "./call.ts";
import { tags } from "./document.ts";
import { errorMeanings } from "./error_meanings.ts";
import { headers } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { jsonLimits } from "./json_body.ts";
import { refusalsOf } from "./operation.ts";
import { parameters } from "./parameters.ts";
import { memberTable, rowOf, table, typeOf } from "./reference_schemas.ts";
import { componentSchemas, limitedBodySchema } from "./schemas.ts";
import { statusOf } from "./statuses.ts";
import type { Answer, Header, MediaType, Parameter, Reference } from "./types.ts";

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
