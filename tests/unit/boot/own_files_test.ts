import assert from "node:assert/strict";
import { join } from "node:path";
import { refuseHookInRoot, refuseOwnFilesInRoot } from "../../../lib/server/boot/own_files.ts";
import { resolveConfig } from "../../../lib/server/core/config/resolve_config.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

const on = ["--disable-exec=false"];

/** What a start with these flags would say, in a folder with a root and files beside it. */
async function refusalOf(
  flags: string[],
  prepare: (folder: string) => Promise<void> = async () => {},
): Promise<string> {
  await using temporary = await temporaryFolder();
  const folder = Deno.realPathSync(temporary.path);
  await plant(folder, {
    root: { sub: {}, "own.json": "{}", "own.pem": "" },
    data: { "c.pem": "" },
  });
  await prepare(folder);
  const { config } = resolveConfig({ args: flags, env: new Map(), cwd: folder });
  try {
    refuseOwnFilesInRoot(config);
    refuseHookInRoot(config);
    return "";
  } catch (error) {
    assert(error instanceof Error && error.name === "StartRefusal", String(error));
    return error.message.replaceAll(folder, "");
  }
}

const outside = [...on, "--root=root", "--database=data/x.kv"];

Deno.test("commands are refused at the start where the served folder holds the store (default places)", async () => {
  assert.equal(
    await refusalOf(on),
    'Cannot allow commands: the served folder "" holds the database "/filebrowser.kv", the cache ' +
      '"/.cubby-cache" and the place of a config file "/.filebrowser.json"; name another place ' +
      "outside of it with --database, --cache-dir and --config",
  );
});

Deno.test("commands are refused for each of the server's own files, at any depth", async () => {
  const flags = ["--database=root/sub/x.kv", "--cache-dir=root/sub/c", "--config=root/own.json"];
  for (const flag of flags) {
    const [option = "", path = ""] = flag.split("=");
    const line = await refusalOf([...outside, flag]);
    assert(line.includes(`holds the `) && line.includes(`"/${path}"`), line);
    assert(line.includes(option), line);
  }
  const tls = await refusalOf([...outside, "--cert=data/c.pem", "--key=root/own.pem"]);
  assert.match(tls, /holds the key "\/root\/own\.pem"; .* with --key$/);
  const cert = await refusalOf([...outside, "--cert=root/own.pem", "--key=data/c.pem"]);
  assert.match(cert, /holds the certificate "\/root\/own\.pem"; .* with --cert$/);
});

Deno.test("commands are refused where a file of the store has a hard link on the disk of the root", async () => {
  for (const name of ["x.kv", "x.kv-wal"]) {
    const line = await refusalOf(outside, async (folder) => {
      await Deno.writeTextFile(join(folder, "data", name), "store");
      await Deno.link(join(folder, "data", name), join(folder, "root", "innocent.txt"));
    });
    assert.match(line, /^Cannot allow commands: the database "\/data\/x\.kv(-wal)?" has a second/);
    assert(line.includes(`${name}" `), line);
  }
});

Deno.test("commands are allowed where all lies outside, and anything is where they are off", async () => {
  const store = (folder: string) => Deno.writeTextFile(join(folder, "data", "x.kv"), "store");
  assert.equal(await refusalOf(outside, store), "");
  assert.equal(await refusalOf([]), "");
  assert.equal(await refusalOf(["--root=root", "--database=root/x.kv"]), "");
});

Deno.test("a program that knows the passwords must not lie where users write", async () => {
  const hook = ["--root=root", "--auth-method=hook"];
  let line = "";
  const prepare = async (folder: string) => {
    await Deno.writeTextFile(`${folder}/root/sub/hook.py`, "");
    await Deno.symlink(`${folder}/root/sub`, `${folder}/link`);
    line = `python3 '${folder}/link/hook.py'`;
  };
  await using temporary = await temporaryFolder();
  await plant(temporary.path, { root: { sub: {} } });
  await prepare(temporary.path);
  const told = (authCommand: string) => {
    const args = [...hook, `--auth-command=${authCommand}`];
    const { config } = resolveConfig({ args, env: new Map(), cwd: temporary.path });
    return () => refuseHookInRoot(config);
  };
  assert.throws(told(line), {
    name: "StartRefusal",
    message:
      /^Cannot use --auth-command: the served folder ".*" holds ".*sub\/hook\.py", which a user/,
  });
  assert.throws(told("'half"), { name: "StartRefusal", message: /--auth-command: .*not closed$/ });
  told("/bin/sh -c true")();
  told("knows-passwords --root sub")();
});
