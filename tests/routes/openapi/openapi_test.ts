import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { parsePath } from "../../../lib/shared/path.ts";
import type { ApiDocument, Method } from "../../../lib/server/openapi/types.ts";
import { startApp } from "../../support/server/app.ts";
import { callsOf } from "../../support/server/conformance.ts";

const app = await startApp({
  config: { metricsToken: "0123456789abcdef" },
  tree: { "a.txt": "one" },
});
const based = await startApp({ config: { baseUrl: "/files", trustedProxies: ["10.0.0.1"] } });
Deno.test.afterAll(app.close);
Deno.test.afterAll(based.close);
const shared = await app.cubby.shares.create(
  { userId: 1, path: parsePath("/a.txt").path, place: parsePath("/a.txt").path },
  { password: "", seconds: 0 },
);
const token = await app.tokenOf("admin");
const document: ApiDocument = await (await app.call("GET", "/api/openapi.json")).json();
/** For HEAD and all other methods its address is an entry: `tests/routes/files/recursive_test.ts`. */
const ambiguous = "/api/resources/recursive/{path}";
const templates = Object.keys(document.paths).filter((template) => template !== ambiguous);

/** An address that fits a template, and where something is. */
function exampleOf(template: string): string {
  if (template.includes("/public/")) return template.replace("{path}", shared.hash);
  const entry = /\/(?:command|watch)\//.test(template) ? "" : "a.txt";
  return template.replace("{path}", entry).replace("{sid}", "none").replace("{id}", "1").replace(
    "{size}",
    "thumb",
  );
}

function methodsOf(template: string): string[] {
  const methods = Object.keys(document.paths[template] ?? {}) as Method[];
  return methods.map((method) => method.toUpperCase());
}

function allowed(template: string): string {
  const methods = methodsOf(template);
  return [...methods, "OPTIONS", ...(methods.includes("GET") ? ["HEAD"] : [])].sort().join(", ");
}

/** The addresses that the files of routes answer, in the words of the document. */
async function routes(folder: string, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
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

Deno.test("OPTIONS tells the methods that the document has, and grants nothing to other sites", async () => {
  const headers = { origin: "http://evil.test", "access-control-request-method": "GET" };
  for (const template of templates) {
    const answer = await app.call("OPTIONS", exampleOf(template), { headers });
    assert.equal(answer.status, 204, template);
    assert.equal(answer.headers.get("allow"), allowed(template), template);
    assert.ok(![...answer.headers.keys()].some((name) => name.startsWith("access-control-")));
    assert.equal(answer.body, null);
  }
});

Deno.test("any other method is 405, with those that the document has", async () => {
  for (const template of templates) {
    const known = methodsOf(template);
    const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]
      .filter((method) => !known.includes(method === "HEAD" ? "GET" : method));
    for (const method of others) {
      const answer = await app.call(method, exampleOf(template), { token });
      assert.equal(answer.status, 405, `${method} ${template}`);
      assert.equal(answer.headers.get("allow"), allowed(template), `${method} ${template}`);
      await answer.body?.cancel();
    }
  }
});

Deno.test("HEAD answers as GET does, without a body", async () => {
  for (const template of templates.filter((each) => methodsOf(each).includes("GET"))) {
    const path = exampleOf(template) + (template.includes("/search/") ? "?query=a" : "");
    const got = await app.call("GET", path, { token });
    await got.body?.cancel();
    const head = await app.call("HEAD", path, { token });
    assert.equal(head.body, null, template);
    assert.equal(head.status, got.status, template);
    assert.deepEqual([...head.headers], [...got.headers], template);
  }
});

Deno.test("no call that wants a token answers without one, to HEAD neither", async () => {
  for (const { method, path, operation } of callsOf(document)) {
    if (operation.security.length === 0) continue;
    for (const asked of method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]) {
      const answer = await app.call(asked, exampleOf(path));
      assert.equal(answer.status, 401, `${asked} ${path}`);
      await answer.body?.cancel();
    }
  }
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
