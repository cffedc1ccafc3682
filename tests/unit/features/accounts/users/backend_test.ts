import assert from "node:assert/strict";
import { join } from "node:path";

const top = new URL("../../../../../", import.meta.url).pathname;

/** What the probe prints under these permissions, with nobody there to be asked for more. */
async function probe(...permissions: string[]): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--no-check",
      "--cached-only",
      ...permissions,
      join(top, "tests/unit/features/accounts/users/backend_probe.ts"),
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder();
  return text.decode(stdout).trim() || text.decode(stderr);
}

const app = `--allow-read=${top}`;
const native = [`--allow-ffi=${join(top, "node_modules")}`, `${app},/usr/bin/ldd`];

Deno.test("without the right to load native code, bcryptjs takes its place", async () => {
  assert.equal(await probe(app), "bcryptjs in a Worker: true false");
});

Deno.test("native bcrypt loads with an environment that seems empty", async () => {
  assert.equal(await probe(...native, "--ignore-env"), "@node-rs/bcrypt: true false");
});

Deno.test("native bcrypt loads with the one variable that it looks at", async () => {
  const variable = "--allow-env=NAPI_RS_FORCE_WASI";
  assert.equal(await probe(...native, variable), "@node-rs/bcrypt: true false");
});
