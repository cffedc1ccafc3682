/**
 * A client generated from the OpenAPI document: openapi-typescript writes its types, which the
 * compiler holds the calls below against; openapi-fetch, which encodes slashes, sends them.
 */
import { join } from "node:path";
import { temporaryFolder } from "../support/disks/files.ts";
import { run, startServed } from "./generated_clients.ts";

const served = await startServed();
Deno.test.afterAll(served.close);

/** Of the programs below, which are installed in a folder of their own. */
const imports = {
  "openapi-typescript": "npm:openapi-typescript@7.13.0",
  "openapi-fetch": "npm:openapi-fetch@0.17.0",
};

const program = `
import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

const { url: baseUrl, token, folder, made, file, below, sought } = JSON.parse(Deno.args[0] ?? "");
const headers = { "X-Auth": token, Accept: "application/json" };
const client = createClient<paths>({ baseUrl, headers });
const told: Record<string, unknown> = {};
const of = <Query extends object>(path: string, query?: Query) =>
  ({ path: { path: "" }, query: { ...query, path } as Query & { path: string } });
const text = { parseAs: "text" as const };
const bytes = { ...text, bodySerializer: (body?: string) => body, headers: { "Content-Type": "application/octet-stream" } };

told.describe = (await client.GET("/api/resources/{path}", { params: of(file) })).data?.size;
told.list = (await client.GET("/api/resources/{path}", { params: of(folder + "/") })).data?.items?.map(({ name }) => name);
told.read = await (await client.GET("/api/raw/{path}", { params: of(file), parseAs: "stream" })).response.text();
told.make = (await client.POST("/api/resources/{path}", { params: of(made + "/"), ...text })).response.status;
told.upload = (await client.POST("/api/resources/{path}", { params: of(made + "/x y.txt"), body: "one", ...bytes })).response.status;
told.save = (await client.PUT("/api/resources/{path}", { params: of(made + "/x y.txt"), body: "two", ...bytes })).response.status;
const destination = "/" + made + "/z.txt";
told.copy = (await client.PATCH("/api/resources/{path}", { params: of(file, { action: "copy" as const, destination }), ...text })).response.status;
const found = (await client.GET("/api/search/{path}", { params: of(folder, { query: sought }) })).data;
told.search = JSON.stringify(found)?.includes(below);
told.usage = ((await client.GET("/api/usage/{path}", { params: of(folder) })).data?.total ?? 0) > 0;
told.size = (await client.GET("/api/size/{path}", { params: of(folder) })).response.status;
const share = await client.POST("/api/share/{path}", { params: of(folder), body: {} });
told.share = share.data?.path;
told.shares = (await client.GET("/api/share/{path}", { params: of(folder) })).data?.length;
const visit = of(share.data?.hash + "/" + below);
told.visit = await (await client.GET("/api/public/dl/{path}", { params: visit, parseAs: "stream" })).response.text();
told.remove = (await client.DELETE("/api/resources/{path}", { params: of(made + "/x y.txt"), ...text })).response.status;
const refused = await client.GET("/api/resources/{path}", { params: of("../" + file) });
told.refuse = [refused.response.status, (refused.error as { code?: string } | undefined)?.code];
console.log(JSON.stringify(told));
`;

Deno.test("a client by openapi-typescript and openapi-fetch makes its calls on nested names", async () => {
  await using folder = await temporaryFolder();
  const put = (name: string, text: string) => Deno.writeTextFile(join(folder.path, name), text);
  await put("deno.json", JSON.stringify({ nodeModulesDir: "none", imports }));
  await put("client.ts", program);
  await put("openapi.json", await served.document());
  const deno = (...args: string[]) => run(folder.path, Deno.execPath(), args, { NO_COLOR: "1" });

  await deno("run", "-A", imports["openapi-typescript"], "openapi.json", "-o", "schema.d.ts");
  served.assertDone(
    await deno("run", "--check", "--allow-net=127.0.0.1", "client.ts", served.task),
  );
});
