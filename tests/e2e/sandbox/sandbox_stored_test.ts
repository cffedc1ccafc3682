import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../../support/disks/files.ts";
import { startServer } from "../../support/server/server.ts";

const top = new URL("../../..", import.meta.url).pathname;

/** Runs a program of the project in a folder, until it ends by itself. */
async function run(script: string, cwd: string, ...args: string[]) {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", join(top, script), ...args],
    cwd,
    env: { INIT_CWD: cwd, HOME: cwd, NO_COLOR: "1" },
  }).output();
  return { code, lines: new TextDecoder().decode(stderr).trimEnd().split("\n") };
}

Deno.test("a start with a bad stored option ends with status 2 and one line, until it is mended", async () => {
  await using folder = await temporaryFolder();
  await Deno.mkdir(join(folder.path, "files"));
  await run(
    "lib/server/cli/cubby.ts",
    folder.path,
    "config",
    "set",
    "--root",
    "files",
    "--port",
    "0",
  );
  await Deno.remove(join(folder.path, "files"));
  const bad = await run("lib/server/boot/launch.ts", folder.path);
  assert.equal(bad.code, 2);
  assert.match(bad.lines.join("\n"), /^Cannot serve ".*\/files": .*; ".* config set --root" .*$/);

  assert.equal(
    (await run("lib/server/cli/cubby.ts", folder.path, "config", "set", "--root", ".")).code,
    0,
  );
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = String(taken.addr.port);
  const next = await run("lib/server/boot/launch.ts", folder.path, "--port", port);
  assert.match(
    next.lines.join("\n"),
    /^Cannot listen on 127\.0\.0\.1, port \d+: the port is in use$/,
  );
});

Deno.test("a server that the store tells how to start serves, confined to what it tells", async () => {
  await using server = await startServer({
    stored: ["--baseurl", "/den", "--disable-preview-resize"],
    prepare: (root) => Deno.writeTextFile(join(root, "a.txt"), "one"),
    workers: 2,
  });
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/den$/);
  const { username, password, url } = server;
  const login = await fetch(`${url}/api/login`, {
    method: "POST",
    body: JSON.stringify({ username, password }),
  });
  const headers = { "x-auth": await login.text() };
  assert.equal(await (await fetch(`${url}/api/raw/a.txt`, { headers })).text(), "one");
  const upload = { method: "POST", headers, body: "two" };
  assert.equal(await (await fetch(`${url}/api/resources/b.txt`, upload)).text(), "OK\n");
  const page = await (await fetch(`${url}/login`)).text();
  assert.match(page, /"ResizePreview":false/);
  assert.equal(await server.stop(), 0);
});
