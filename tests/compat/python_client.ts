/**
 * `deno run -A tests/compat/python_client.ts`: has openapi-python-client write a client from the
 * OpenAPI document, and makes calls by it on nested names. It is no part of the tests, as it installs
 * the generator from PyPI, in a folder of its own; it needs python3 with venv.
 */
import { join } from "node:path";
import { temporaryFolder } from "../support/disks/files.ts";
import { run, startServed } from "./generated_clients.ts";

/** The generator. */
const generator = "openapi-python-client==0.29.1";

const served = await startServed();
try {
  await using folder = await temporaryFolder();
  const bin = join(folder.path, "venv/bin");
  const call = (program: string, ...args: string[]) =>
    run(folder.path, program, args, { PYTHONPATH: folder.path });
  await call("python3", "-m", "venv", "venv");
  await call(join(bin, "pip"), "install", "--quiet", generator);
  await Deno.writeTextFile(join(folder.path, "openapi.json"), await served.document());
  const output = ["--meta", "none", "--output-path", "cubby"];
  const generate = ["generate", "--path", "openapi.json", ...output];
  await call(join(bin, "openapi-python-client"), ...generate);

  const program = new URL("python_client.py", import.meta.url).pathname;
  served.assertDone(await call(join(bin, "python"), program, served.task));
  console.log(`A client by ${generator} made ${served.calls} calls as expected`);
} finally {
  await served.close();
}
