/**
 * A client generated from the OpenAPI document: openapi-typescript writes its types, which the
 * compiler holds the calls below against; openapi-fetch, which encodes slashes, sends them.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../support/disks/files.ts";
import { startApp } from "../support/server/app.ts";

const app = await startApp({
  inProcess: true,
  tree: { "Bücher & Töne": { "a b.txt": "ä", "deep er": { "日本 #1.txt": "needle" } } },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();

/** Of the programs below, which are installed in a folder of their own. */
const imports = {
  "openapi-typescript": "npm:openapi-typescript@7.13.0",
  "openapi-fetch": "npm:openapi-fetch@0.17.0",
};

const program = `
import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

const [baseUrl = "", token = ""] = Deno.args;
const client = createClient<paths>({ baseUrl, headers: { "X-Auth": token } });
const told: Record<string, unknown> = {};
const folder = "Bücher & Töne";
const file = folder + "/deep er/日本 #1.txt";
const of = <Query extends object>(path: string, query?: Query) =>
  ({ path: { path: "" }, query: { ...query, path } as Query & { path: string } });
const text = { parseAs: "text" as const };
const bytes = { ...text, bodySerializer: (body?: string) => body, headers: { "Content-Type": "application/octet-stream" } };

told.describe = (await client.GET("/api/resources/{path}", { params: of(file) })).data?.size;
told.list = (await client.GET("/api/resources/{path}", { params: of(folder + "/") })).data?.items?.map(({ name }) => name);
told.read = await (await client.GET("/api/raw/{path}", { params: of(file), parseAs: "stream" })).response.text();
told.make = (await client.POST("/api/resources/{path}", { params: of(folder + "/new ü/"), ...text })).response.status;
told.upload = (await client.POST("/api/resources/{path}", { params: of(folder + "/new ü/x y.txt"), body: "one", ...bytes })).response.status;
told.save = (await client.PUT("/api/resources/{path}", { params: of(folder + "/new ü/x y.txt"), body: "two", ...bytes })).response.status;
const destination = "/" + folder + "/new ü/z.txt";
told.copy = (await client.PATCH("/api/resources/{path}", { params: of(file, { action: "copy" as const, destination }), ...text })).response.status;
told.search = (await client.GET("/api/search/{path}", { params: of(folder, { query: "日本" }) })).response.status;
told.usage = typeof (await client.GET("/api/usage/{path}", { params: of(folder) })).data?.total;
told.size = (await client.GET("/api/size/{path}", { params: of(folder) })).response.status;
const share = await client.POST("/api/share/{path}", { params: of(folder), body: {} });
told.share = share.data?.path;
const visit = of(share.data?.hash + "/deep er/日本 #1.txt");
told.visit = await (await client.GET("/api/public/dl/{path}", { params: visit, parseAs: "stream" })).response.text();
told.remove = (await client.DELETE("/api/resources/{path}", { params: of(folder + "/new ü/x y.txt"), ...text })).response.status;
told.refuse = (await client.GET("/api/raw/{path}", { params: of("../" + file), parseAs: "stream" })).response.status;
console.log(JSON.stringify(told));
`;

Deno.test("a client by openapi-typescript and openapi-fetch makes fourteen calls on nested names", async () => {
  await using folder = await temporaryFolder();
  const put = (name: string, text: string) => Deno.writeTextFile(join(folder.path, name), text);
  await put("deno.json", JSON.stringify({ nodeModulesDir: "none", imports }));
  await put("client.ts", program);
  const document = await (await fetch(`${url}/api/openapi.json`)).text();
  await put("openapi.json", document);

  await run("run", "-A", imports["openapi-typescript"], "openapi.json", "-o", "schema.d.ts");
  const token = await app.tokenOf("admin");
  const told = await run("run", "--check", "--allow-net=127.0.0.1", "client.ts", url, token);
  assert.deepEqual(JSON.parse(told), {
    describe: 6,
    list: ["deep er", "a b.txt"],
    read: "needle",
    make: 200,
    upload: 200,
    save: 200,
    copy: 200,
    search: 200,
    usage: "number",
    size: 200,
    share: "/Bücher & Töne",
    visit: "needle",
    remove: 200,
    refuse: 400,
  });
  const made = join(app.root, "Bücher & Töne/new ü");
  assert.deepEqual([...Deno.readDirSync(made)].map(({ name }) => name), ["z.txt"]);
  assert.equal(Deno.readTextFileSync(join(made, "z.txt")), "needle");

  async function run(...args: string[]): Promise<string> {
    const options = { args, cwd: folder.path, env: { NO_COLOR: "1" } };
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), options).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  }
});
