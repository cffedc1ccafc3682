import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { ApiDocument } from "../../../lib/server/http/openapi/types.ts";
import { startApp } from "../../support/server/app.ts";
import { callsOf } from "../../support/server/conformance.ts";

const app = await startApp();
const based = await startApp({ config: { baseUrl: "/files", trustedProxies: ["10.0.0.1"] } });
Deno.test.afterAll(app.close);
Deno.test.afterAll(based.close);
const token = await app.tokenOf("admin");
const document: ApiDocument = await (await app.call("GET", "/api/openapi.json")).json();
/** Answered by the file of another address. */
const ambiguous = "/api/resources/recursive/{path}";
const templates = Object.keys(document.paths).filter((template) => template !== ambiguous);

/** The addresses that the files of routes answer, in the words of the document. */
async function routes(folder: string, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name.startsWith("(_")) continue;
    if (isDirectory) found.push(...await routes(`${folder}/${name}`, `${prefix}/${name}`));
    else if (!name.startsWith("_")) found.push(`${prefix}/${name.replace(/\.tsx?$/, "")}`);
  }
  return found.map((path) => path.replace(/\/index$/, "").replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}"));
}

Deno.test("the document is valid by the schema of OpenAPI, and none of its references leads nowhere", async () => {
  const { valid, errors } = await new Validator().validate({ ...document });
  assert.ok(valid, JSON.stringify(errors));
  for (const [, pointer = ""] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer.split("/").reduce<unknown>(
      (value, key) => typeof value === "object" && value !== null ? Reflect.get(value, key) : null,
      document,
    );
    assert.ok(target, `nothing is at #/${pointer}`);
  }
});

Deno.test("each operation has an id of its own, a known tag, and all parameters of its path", () => {
  const calls = callsOf(document);
  const ids = calls.map(({ operation }) => operation.operationId);
  assert.deepEqual(ids, [...new Set(ids)]);
  const tags = document.tags.map(({ name }) => name);
  for (const { path, operation } of calls) {
    assert.ok(operation.tags.every((tag) => tags.includes(tag)), operation.operationId);
    const text = JSON.stringify(operation.parameters ?? []);
    for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
      const isTold = text.includes(`"name":"${name}","in":"path"`) ||
        name === "path" && text.includes("#/components/parameters/Path");
      assert.ok(isTold, `${operation.operationId} does not tell of {${name}}`);
    }
  }
});

Deno.test("nothing in the components is of no use", () => {
  const text = JSON.stringify(document);
  const { components } = document;
  for (const [kind, all] of Object.entries({ ...components, securitySchemes: {} })) {
    for (const name of Object.keys(all)) {
      const isUsed = name === "TokenClaims" || text.includes(`"#/components/${kind}/${name}"`);
      assert.ok(isUsed, `${kind}/${name}`);
    }
  }
});

Deno.test("every route is in the document, and nothing else", async () => {
  const folder = new URL("../../../routes/api", import.meta.url).pathname;
  const catchAll = "/api/{path}";
  const served = (await routes(folder, "/api")).filter((template) => template !== catchAll);
  assert.deepEqual([...served, "/health", "/health/ready"].sort(), templates.toSorted());
});

Deno.test("the document is open to everybody, kept by nobody, and the same for all", async () => {
  const answer = await app.call("GET", "/api/openapi.json", { token });
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.deepEqual(await answer.json(), document);
});

Deno.test("the document names the server as it was asked, with the base URL", async () => {
  const urlOf = async (options = {}) => {
    const answer = await based.call("GET", "/files/api/openapi.json", options);
    const { servers }: ApiDocument = await answer.json();
    return servers.map(({ url }) => url);
  };
  assert.deepEqual(document.servers.map(({ url }) => url), ["http://cubby.test"]);
  assert.deepEqual(await urlOf(), ["http://cubby.test/files"]);
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "cubby.example" };
  assert.deepEqual(await urlOf({ headers, from: "10.0.0.1" }), ["https://cubby.example/files"]);
  assert.deepEqual(await urlOf({ headers, from: "192.0.2.1" }), ["http://cubby.test/files"]);
});
