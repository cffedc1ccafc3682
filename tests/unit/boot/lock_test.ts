import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { asServer } from "../../../lib/server/core/config/app_folder.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

/** What a small registry like JSR has: every version of every package is one module. */
type Packages = Record<string, Record<string, string>>;

/** Serves packages as JSR does, on a free port. */
function serveRegistry(packages: Packages) {
  const answer = (path: string): Response => {
    const [, name = "", rest = ""] = /^\/(@\w+\/\w+)\/(.+)$/.exec(path) ?? [];
    const versions = packages[name] ?? {};
    if (rest === "meta.json") {
      const known = Object.keys(versions).map((version) => [version, {}]);
      return Response.json({ versions: Object.fromEntries(known) });
    }
    const [, version = "", file] = /^([\d.]+)(_meta\.json|\/mod\.ts)$/.exec(rest) ?? [];
    const code = versions[version];
    if (code === undefined) return new Response(null, { status: 404 });
    if (file === "/mod.ts") {
      return new Response(code, { headers: { "content-type": "text/typescript" } });
    }
    const checksum = `sha256-${createHash("sha256").update(code).digest("hex")}`;
    const manifest = { "/mod.ts": { size: code.length, checksum } };
    return Response.json({ manifest, exports: { ".": "./mod.ts" } });
  };
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (req) => answer(new URL(req.url).pathname),
  );
}

Deno.test("the server has the versions of the lock, though newer ones came out since", async () => {
  await using folder = await temporaryFolder();
  const needed: Record<string, string> = { "1.0.0": "export default 'locked';" };
  const registry = serveRegistry({
    "@fresh/core": { "2.3.3": `export { default } from "jsr:@test/needed@^1";` },
    "@test/needed": needed,
  });
  const project = join(folder.path, "project");
  await Deno.mkdir(project);
  await plant(project, {
    "deno.json": `{"nodeModulesDir": "manual", "imports": {"fresh": "jsr:@fresh/core@2.3.3"}}`,
    "main.ts": `import which from "fresh"; console.log(which);`,
  });
  async function deno(cache: string, ...args: string[]): Promise<string> {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args,
      cwd: project,
      env: {
        JSR_URL: `http://127.0.0.1:${registry.addr.port}/`,
        DENO_DIR: join(folder.path, cache),
      },
    }).output();
    const decoder = new TextDecoder();
    assert.ok(success, decoder.decode(stderr));
    return decoder.decode(stdout).trim();
  }

  await deno("first", "install");
  needed["1.1.0"] = "export default 'newest';";
  await deno("server", "cache", ...asServer, "main.ts");
  assert.equal(await deno("server", "run", "--cached-only", ...asServer, "main.ts"), "locked");
  assert.equal(await deno("free", "run", "--no-lock", "main.ts"), "newest", "or nothing is proven");
  await registry.shutdown();
});
