/**
 * Part of the build: starts the server once, with the right to write, on a new store. So Deno keeps
 * the compiled code of its own modules, too, and counts the rows of its caches: it does not use a
 * cache of which it can do neither.
 */
import { join } from "node:path";
import {
  asBundle,
  builtEntry,
  bundledPath,
  compiledFolder,
  v8Flags,
} from "../core/config/app_folder.ts";
import { resolveConfig } from "../core/config/resolve_config.ts";
import { launchVariable } from "../core/disk/waiting_thread.ts";
import { connectionLimits } from "./connection_limits.ts";
import type { LaunchPayload } from "./launch_payload.ts";

const folder = Deno.makeTempDirSync({ prefix: "cubby-" });
const port = freePort();
const { config } = resolveConfig({
  args: ["--root", folder, "--database", join(folder, "cubby.kv"), "--port", String(port)],
  env: new Map(),
  cwd: folder,
});
Deno.mkdirSync(config.cacheDir, { recursive: true });
const payload: LaunchPayload = {
  ...{ config, entry: builtEntry, landlock: null, starters: [] },
  ...{ drainMs: 0, disksTimeoutMs: 10_000, rootCheckMs: 10_000 },
  limits: connectionLimits(null, 1),
};
const server = new Deno.Command(Deno.execPath(), {
  args: [
    ...["run", "-A", "--quiet", "--cached-only", ...asBundle, "--unstable-no-legacy-abort"],
    ...[v8Flags, bundledPath("lib/server/boot/serve.ts")],
  ],
  env: { DENO_DIR: compiledFolder, [launchVariable]: JSON.stringify(payload) },
  stdin: "null",
  stdout: "piped",
}).spawn();
try {
  let printed = "";
  for await (const text of server.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    if (/Listening/.test(printed)) break;
  }
  if (!/Listening/.test(printed)) throw new Error("the server has ended before it listened");
  await (await fetch(`http://127.0.0.1:${port}/login`)).text();
} finally {
  end();
  await server.status;
  Deno.removeSync(folder, { recursive: true });
}

function end(): void {
  try {
    server.kill();
  } catch {
    // It has ended by itself.
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
