/** Real clients of WebDAV against the whole application: litmus, rclone and cadaver. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, temporaryFolder } from "../support/disks/files.ts";
import { ensurePrograms } from "../support/run/debian.ts";
import { startApp } from "../support/server/app.ts";

await ensurePrograms(
  { litmus: "litmus", rclone: "rclone", cadaver: "cadaver" },
  "WebDAV with real clients",
);

const app = await startApp({ config: { webdav: true }, tree: { "a.txt": "one" } });
Deno.test.afterAll(app.close);
const { url } = app.listen();
const { username, password } = app.admin;
const odd = "#%?日本 `.txt";

/** Runs a program to its end, in a folder, and gives all that it prints. */
async function run(cwd: string, program: string, args: string[], input = ""): Promise<string> {
  const child = new Deno.Command(program, {
    args,
    cwd,
    env: { HOME: cwd, RCLONE_CONFIG: join(cwd, "rclone.conf"), TERM: "dumb" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { stdout, stderr, success } = await child.output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.ok(success, text);
  return text;
}

Deno.test("litmus passes whole: basic, copymove, props, locks and http", async () => {
  await using folder = await temporaryFolder();
  const text = await run(folder.path, "litmus", ["-k", `${url}/dav/`, username, password]);
  const counts = [...text.matchAll(/of (\d+) tests run: (\d+) passed, (\d+) failed/g)];
  assert.equal(counts.length, 5, text);
  for (const [, all, passed, failed] of counts) {
    assert.deepEqual([passed, failed], [all, "0"], text);
  }
});

Deno.test("rclone copies, checks, syncs and moves a tree with odd names and times", async () => {
  await using folder = await temporaryFolder();
  const local = join(folder.path, "local");
  await Deno.mkdir(local);
  await plant(local, { [odd]: "odd", sub: { "ö & <x>.txt": "x", deep: { "d.txt": "deep" } } });
  const time = new Date(1e12);
  await Deno.utime(join(local, odd), time, time);
  const rclone = (...args: string[]) => run(folder.path, "rclone", args);
  const pass = (await rclone("obscure", password)).trim();
  const config = { type: "webdav", url: `${url}/dav`, vendor: "owncloud", user: username, pass };
  const lines = Object.entries(config).map(([name, value]) => `${name} = ${value}`);
  await Deno.writeTextFile(join(folder.path, "rclone.conf"), ["[c]", ...lines, ""].join("\n"));

  await rclone("copy", local, "c:tree");
  await rclone("check", local, "c:tree", "--download");
  assert.equal((await Deno.stat(join(app.root, "tree", odd))).mtime?.getTime(), 1e12);
  await Deno.remove(join(local, "sub/deep"), { recursive: true });
  await Deno.writeTextFile(join(local, "new.txt"), "new");
  await rclone("sync", local, "c:tree", "--create-empty-src-dirs");
  await rclone("check", local, "c:tree");
  await rclone("moveto", "c:tree", "c:moved/tree");
  const back = join(folder.path, "back");
  await rclone("copy", "c:moved/tree", back);
  assert.equal(await Deno.readTextFile(join(back, odd)), "odd");
  assert.equal(await Deno.readTextFile(join(back, "sub/ö & <x>.txt")), "x");
});

Deno.test("cadaver puts, locks, discovers, unlocks and gets", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder.path, "local.txt"), "by cadaver");
  const netrc = `machine 127.0.0.1 login ${username} password "${password}"\n`;
  await Deno.writeTextFile(join(folder.path, ".netrc"), netrc, { mode: 0o600 });
  const commands = ["put local.txt", "lock local.txt", "discover local.txt", "unlock local.txt"];
  const more = ["get local.txt back.txt", "mkcol box", "copy local.txt box", "ls box", "quit"];
  const text = await run(
    folder.path,
    "cadaver",
    [`${url}/dav/`],
    [...commands, ...more, ""].join("\n"),
  );
  assert.equal((text.match(/succeeded/g) ?? []).length >= 5, true, text);
  assert.match(text, /Scope: exclusive {2}Type: write {2}Timeout: 3600 seconds/);
  assert.equal(await Deno.readTextFile(join(folder.path, "back.txt")), "by cadaver");
  assert.equal(await Deno.readTextFile(join(app.root, "box/local.txt")), "by cadaver");
});
