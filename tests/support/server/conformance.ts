/** Holds answers against the document that describes them. */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type {
  Answer,
  ApiDocument,
  Header,
  Method,
  Operation,
  Reference,
  Schema,
} from "../../../lib/server/http/openapi/types.ts";

/** One operation with where it is. */
export interface DocumentedCall {
  method: Method;
  /** With its parameters in braces: "/api/raw/{path}". */
  path: string;
  operation: Operation;
}

/** An answer with its body read. */
export interface ReadAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Headers of any answer that no call tells of. */
const everywhere = [
  "content-type",
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options",
  // On all answers about resumable uploads.
  "tus-resumable",
  "tus-version",
];

/** RFC 3339 in UTC, to the millisecond. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** All operations of a document. */
export function callsOf(document: ApiDocument): DocumentedCall[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...{ method: method as Method, path, operation },
    }))
  );
}

/**
 * Checks answers against a document, more strictly than a client should: no field, header or media
 * type that the document does not name.
 */
export class Conformance {
  readonly #document: ApiDocument;
  readonly #ajv = new Ajv2020({ strict: true, formats: { "date-time": dateTime } });
  readonly #validators = new Map<Schema, ValidateFunction>();
  readonly #seen = new Set<string>();

  constructor(document: ApiDocument) {
    this.#document = document;
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      this.#ajv.addSchema(strict(schema), `/schemas/${name}`);
    }
  }

  /**
   * Asserts that a call may answer in this way, and remembers that it did.
   *
   * @returns what was seen: "200 application/json", "403 forbidden"
   */
  check(id: string, answer: ReadAnswer): string {
    const documented = this.#operation(id).responses[answer.status];
    assert.ok(documented, `${id} has no answer ${answer.status}: ${answer.body.slice(0, 200)}`);
    this.#checkHeaders(id, documented, answer);
    const type = this.#checkBody(id, documented, answer);
    const code = answer.status >= 400 && type === "application/json"
      ? String(JSON.parse(answer.body).code)
      : type;
    const seen = `${answer.status} ${code}`.trim();
    this.#seen.add(`${id} ${seen}`);
    return seen;
  }

  /** Asserts that a value fits one of the document's schemas. */
  checkValue(name: string, value: unknown): void {
    this.#assertFits({ $ref: `#/components/schemas/${name}` }, value, name);
  }

  /** What the document promises and no answer has shown so far: "login 429 throttled". */
  unseen(): string[] {
    return callsOf(this.#document)
      .flatMap(({ operation }) => promisesOf(operation))
      .filter((promise) => !this.#seen.has(promise));
  }

  #operation(id: string): Operation {
    const call = callsOf(this.#document).find(({ operation }) => operation.operationId === id);
    assert.ok(call, `there is no operation "${id}"`);
    return call.operation;
  }

  #checkHeaders(id: string, documented: Answer, { status, headers }: ReadAnswer): void {
    const told = Object.entries(documented.headers ?? {});
    for (const [name, header] of told) {
      const { required, schema } = this.#header(header);
      const value = headers.get(name);
      if (value !== null) this.#assertFits(schema, value, `${id} ${status} ${name}`);
      else assert.ok(!required, `${id} ${status} lacks the header ${name}`);
    }
    const names = [...everywhere, ...told.map(([name]) => name.toLowerCase())];
    if (!names.includes("cache-control")) {
      assert.equal(headers.get("cache-control"), "no-store", `${id} ${status} may be kept`);
      names.push("cache-control");
    }
    const untold = [...headers.keys()].filter((name) => !names.includes(name));
    assert.deepEqual(untold, [], `${id} ${status} has headers that the document does not tell of`);
  }

  /** @returns the documented media type; "" when there is no body */
  #checkBody(id: string, { content }: Answer, { status, headers, body }: ReadAnswer): string {
    const [type = ""] = headers.get("content-type")?.split(";") ?? [];
    if (!content) {
      assert.equal(body, "", `${id} ${status} has no body`);
      return "";
    }
    const known = [type, "*/*"].find((each) => Object.hasOwn(content, each));
    assert.ok(known, `${id} ${status} is never of the type "${type}"`);
    const schema = content[known]?.schema;
    if (!schema) return known;
    for (const value of valuesIn(body, type)) this.#assertFits(schema, value, `${id} ${status}`);
    return known;
  }

  #header(header: Header | Reference): Header {
    if (!("$ref" in header)) return header;
    const name = header.$ref.split("/").at(-1) ?? "";
    const found = this.#document.components.headers[name];
    assert.ok(found, `there is no header "${name}"`);
    return found;
  }

  #assertFits(schema: Schema, value: unknown, what: string): void {
    let fits = this.#validators.get(schema);
    if (!fits) {
      fits = this.#ajv.compile(strict(schema));
      this.#validators.set(schema, fits);
    }
    const reasons = () => JSON.stringify({ errors: fits.errors, value }).slice(0, 1_000);
    assert.ok(fits(value), `${what} does not fit: ${fits.errors ? reasons() : ""}`);
  }
}

/** Reads an answer's body. */
export async function readAnswer(answer: Response): Promise<ReadAnswer> {
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

/** Each way of answering that a call promises. */
function promisesOf({ operationId, responses }: Operation): string[] {
  return Object.entries(responses).flatMap(([status, { content = { "": {} } }]) => {
    const codes = content["application/json"]?.schema?.properties?.code?.enum;
    const kinds = Number(status) >= 400 && codes ? codes : Object.keys(content);
    return kinds.map((kind) => `${operationId} ${status} ${kind}`.trim());
  });
}

/** The values that a schema is to be held against: one a line for lines of JSON. */
function valuesIn(body: string, type: string): unknown[] {
  if (type === "application/json") return [JSON.parse(body)];
  if (type !== "application/x-ndjson") return [body];
  return body.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** A schema by which objects have no other fields, with references as the validator knows them. */
function strict(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === "$ref") return String(value).replace("#/components/schemas/", "/schemas/");
    const isClosed = value?.type === "object" && value.properties !== undefined;
    return isClosed ? { ...value, unevaluatedProperties: false } : value;
  });
}
