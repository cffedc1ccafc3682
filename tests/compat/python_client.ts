/**
 * `deno run -A tests/compat/python_client.ts`: has openapi-python-client write a client from the
 * OpenAPI document, and makes calls by it on nested names. It is no part of the tests, as it installs
 * the generator from PyPI, in a folder of its own; it needs python3 with venv.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../support/disks/files.ts";
import { startApp } from "../support/server/app.ts";

/** The generator. */
const generator = "openapi-python-client==0.29.1";

await using app = await startApp({
  inProcess: true,
  tree: { "Bücher & Töne": { "a b.txt": "ä", "deep er": { "日本 #1.txt": "needle" } } },
});
await using folder = await temporaryFolder();
const { url } = app.listen();
const bin = join(folder.path, "venv/bin");
await run("python3", "-m", "venv", "venv");
await run(join(bin, "pip"), "install", "--quiet", generator);
const document = await (await fetch(`${url}/api/openapi.json`)).text();
await Deno.writeTextFile(join(folder.path, "openapi.json"), document);
const output = ["--meta", "none", "--output-path", "cubby"];
await run(join(bin, "openapi-python-client"), "generate", "--path", "openapi.json", ...output);

const program = new URL("python_client.py", import.meta.url).pathname;
const told = JSON.parse(await run(join(bin, "python"), program, url, await app.tokenOf("admin")));
assert.deepEqual(told, {
  describe: 6,
  list: ["deep er", "a b.txt"],
  read: "needle",
  make: 200,
  upload: 200,
  save: 200,
  copy: 200,
  search: true,
  usage: "int",
  size: 200,
  share: "/Bücher & Töne",
  shares: 1,
  visit: "needle",
  remove: 200,
  refuse: [400, "invalid_path"],
});
const made = join(app.root, "Bücher & Töne/new ü");
assert.deepEqual([...Deno.readDirSync(made)].map(({ name }) => name), ["z.txt"]);
console.log(`A client by ${generator} made ${Object.keys(told).length} calls as expected`);

async function run(program: string, ...args: string[]): Promise<string> {
  const env = { PYTHONPATH: folder.path };
  const options = { args, cwd: folder.path, env };
  const { success, stdout, stderr } = await new Deno.Command(program, options).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
