/** Real clients of WebDAV against the whole application: litmus, rclone, cadaver and davfs2. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { plant, temporaryFolder } from "../support/disks/files.ts";
import { ensurePrograms } from "../support/run/debian.ts";
import { startApp } from "../support/server/app.ts";

await ensurePrograms(
  { litmus: "litmus", rclone: "rclone", cadaver: "cadaver", "mount.davfs": "davfs2" },
  "WebDAV with real clients",
);

const app = await startApp({
  config: { webdav: true, syncClients: true },
  tree: { "a.txt": "one" },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();
const { username, password } = app.admin;
/** The addresses of the files. */
const addresses = ["/dav/", "/remote.php/webdav/", `/remote.php/dav/files/${username}/`];
const odd = "#%?日本 `.txt";
const hasFuse = isThere("/dev/fuse");
if (!hasFuse) console.log("Without davfs2: this system has no FUSE (/dev/fuse)");

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isCharDevice === true;
  } catch {
    return false;
  }
}

/** The files below a folder by their paths, with their texts. */
async function treeOf(folder: string, above = ""): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) Object.assign(tree, await treeOf(join(folder, name), `${above}${name}/`));
    else tree[above + name] = await Deno.readTextFile(join(folder, name));
  }
  return tree;
}

/** Runs rclone in a folder, with the server as `c:`. */
async function rcloneIn(folder: string, address: string, vendor: string) {
  const rclone = (...args: string[]) => run(folder, "rclone", args);
  const pass = (await rclone("obscure", password)).trim();
  const config = { type: "webdav", url: address, vendor, user: username, pass };
  const lines = Object.entries(config).map(([name, value]) => `${name} = ${value}`);
  await Deno.writeTextFile(join(folder, "rclone.conf"), ["[c]", ...lines, ""].join("\n"));
  return rclone;
}

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

Deno.test("litmus passes whole and without warnings, at each address", async () => {
  for (const address of addresses) {
    await using folder = await temporaryFolder();
    const text = await run(folder.path, "litmus", ["-k", url + address, username, password]);
    const counts = [...text.matchAll(/of (\d+) tests run: (\d+) passed, (\d+) failed/g)];
    assert.equal(counts.length, 5, `${address} ${text}`);
    for (const [, all, passed, failed] of counts) {
      assert.deepEqual([passed, failed], [all, "0"], `${address} ${text}`);
    }
    assert.doesNotMatch(text, /WARNING/, address);
  }
});

Deno.test("rclone copies, checks, syncs and moves a tree with odd names and times", async () => {
  await using folder = await temporaryFolder();
  const local = join(folder.path, "local");
  await Deno.mkdir(local);
  await plant(local, { [odd]: "odd", sub: { "ö & <x>.txt": "x", deep: { "d.txt": "deep" } } });
  const time = new Date(1e12);
  await Deno.utime(join(local, odd), time, time);
  const rclone = await rcloneIn(folder.path, `${url}/dav`, "owncloud");
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

/** Uses cadaver at an address, in a folder of its own. */
async function useCadaver(address: string, own: string): Promise<void> {
  await using folder = await temporaryFolder();
  await Deno.mkdir(join(app.root, own));
  await Deno.writeTextFile(join(folder.path, "local.txt"), "by cadaver");
  const netrc = `machine 127.0.0.1 login ${username} password "${password}"\n`;
  await Deno.writeTextFile(join(folder.path, ".netrc"), netrc, { mode: 0o600 });
  await Deno.writeTextFile(join(folder.path, odd), "odd");
  const strange = [`put "${odd}"`, `copy "${odd}" "b ${odd}"`, `move "b ${odd}" "c ${odd}"`];
  const commands = [
    ...strange,
    "put local.txt",
    "lock local.txt",
    "discover local.txt",
    "unlock local.txt",
  ];
  const more = ["get local.txt back.txt", "mkcol box", "copy local.txt box", "ls box", "quit"];
  const text = await run(
    folder.path,
    "cadaver",
    [`${url}${address}${own}/`],
    [...commands, ...more, ""].join("\n"),
  );
  assert.equal((text.match(/succeeded/g) ?? []).length >= 5, true, text);
  assert.match(text, /Scope: exclusive {2}Type: write {2}Timeout: 3600 seconds/);
  assert.equal(await Deno.readTextFile(join(folder.path, "back.txt")), "by cadaver");
  assert.equal(await Deno.readTextFile(join(app.root, own, "box/local.txt")), "by cadaver");
  for (const name of [odd, `c ${odd}`]) {
    assert.equal(await Deno.readTextFile(join(app.root, own, name)), "odd", text);
  }
}

Deno.test("cadaver puts, locks, discovers, unlocks and gets, at each address", async () => {
  for (const [index, address] of addresses.entries()) await useCadaver(address, `cadaver${index}`);
});

Deno.test("rclone syncs both ways, and again, with changes on both sides and on the disk", async () => {
  await using folder = await temporaryFolder();
  const local = join(folder.path, "local");
  await Deno.mkdir(local);
  await plant(local, { [odd]: "odd", sub: { "a.txt": "a", deep: { "d.txt": "d" } } });
  const rclone = await rcloneIn(folder.path, `${url}/dav`, "owncloud");
  await rclone("mkdir", "c:both");
  const server = join(app.root, "both");
  const sync = (...more: string[]) => rclone("bisync", local, "c:both", ...more);
  /** rclone goes by times, of which WebDAV has whole seconds. */
  let seconds = Math.floor(Date.now() / 1000);
  const edit = async (path: string, text: string) => {
    await Deno.writeTextFile(path, text);
    await Deno.utime(path, seconds, seconds += 10);
  };
  await sync("--resync");
  assert.deepEqual(await treeOf(server), await treeOf(local));

  await edit(join(local, "sub/a.txt"), "changed here");
  await Deno.remove(join(local, "sub/deep/d.txt"));
  await edit(join(server, odd), "changed on the disk there");
  await edit(join(server, `new ${odd}`), "new there");
  await sync();
  const wanted = {
    [odd]: "changed on the disk there",
    [`new ${odd}`]: "new there",
    "sub/a.txt": "changed here",
  };
  assert.deepEqual(await treeOf(local), wanted);
  assert.deepEqual(await treeOf(server), wanted);

  // The same file on both sides: each of them stays.
  await edit(join(local, "sub/a.txt"), "here once more");
  await edit(join(server, "sub/a.txt"), "there, and longer");
  await sync();
  const both = await treeOf(server);
  assert.deepEqual(both, await treeOf(local));
  const edits = Object.entries(both).filter(([path]) => path.startsWith("sub/a.txt"));
  assert.deepEqual(edits.map(([, text]) => text).sort(), ["here once more", "there, and longer"]);
});

/** Mounts an address, and works there in a folder of its own. */
async function useDavfs(address: string, own: string): Promise<void> {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await Deno.mkdir(at("mounted"));
  await Deno.writeTextFile(at("secrets"), `${url}${address} ${username} "${password}"\n`, {
    mode: 0o600,
  });
  const settings = [`secrets ${at("secrets")}`, "ask_auth 0", "buf_size 256", "delay_upload 0"];
  await Deno.writeTextFile(at("davfs2.conf"), `${settings.join("\n")}\n`);
  const place = [`${url}${address}`, at("mounted"), "-o", `conf=${at("davfs2.conf")}`];
  await run(folder.path, "mount", ["-t", "davfs", ...place]);
  const mounted = join(at("mounted"), own);
  try {
    await Deno.mkdir(mounted);
    await plant(mounted, { [odd]: "odd", sub: { "a.txt": "a" } });
    await Deno.rename(join(mounted, "sub/a.txt"), join(mounted, `sub/b ${odd}`));
    await Deno.writeTextFile(join(mounted, odd), " and more", { append: true });
    assert.equal(await Deno.readTextFile(join(mounted, odd)), "odd and more");
    const names = [...Deno.readDirSync(mounted)].map(({ name }) => name).sort();
    assert.deepEqual(names.filter((name) => name !== "lost+found"), [odd, "sub"].sort());
  } finally {
    // It waits until all is sent.
    await run(folder.path, "umount", [at("mounted")]);
  }
  const sent = { [odd]: "odd and more", [`sub/b ${odd}`]: "a" };
  assert.deepEqual(await treeOf(join(app.root, own)), sent);
}

Deno.test({
  name: "davfs2 mounts, and programs write, rename, lock and remove there, at each address",
  ignore: !hasFuse,
  async fn() {
    for (const [index, address] of addresses.entries()) await useDavfs(address, `davfs ${index}`);
  },
});

Deno.test("rclone checks every file by its digest, as with Nextcloud", async () => {
  await using folder = await temporaryFolder();
  const local = join(folder.path, "local");
  await Deno.mkdir(local);
  await plant(local, { [odd]: "odd", sub: { "a.txt": "a", empty: "" } });
  await Deno.writeFile(join(local, "large.bin"), new Uint8Array(3_000_000).fill(7));
  const rclone = await rcloneIn(folder.path, `${url}/remote.php/webdav`, "nextcloud");
  await rclone("copy", local, "c:hashed");
  const told = await rclone("check", local, "c:hashed");
  assert.match(told, /0 differences found/);
  assert.doesNotMatch(told, /hashes could not be checked/);
  const sums = await rclone("hashsum", "SHA1", "c:hashed");
  assert.equal(sums.trim().split("\n").filter((line) => /^[0-9a-f]{40} /.test(line)).length, 4);

  // What another program writes on the disk is not told by the digest of before.
  await Deno.writeTextFile(join(app.root, "hashed", odd), "bad");
  const changed = await rclone("check", local, "c:hashed").catch(String);
  assert.match(changed, /differences found: 1|1 differences found|1 hashes could not be checked/);
});
