import assert from "node:assert/strict";
import { join } from "node:path";
import { quarters } from "../../support/data/pictures.ts";
import { plant, plantMany, temporaryFolder } from "../../support/disks/files.ts";
import { account, type Installed, installPackage } from "../../support/server/installed.ts";

const top = new URL("../../..", import.meta.url).pathname;
const username = "admin";
const password = "a cub naps beside 7 rivers";

Deno.test("deno task package refuses a folder with content, and leaves it as it is", async () => {
  await using folder = await temporaryFolder();
  await plant(folder.path, { "notes.txt": "mine" });
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "deploy/npm/main.ts", folder.path],
    cwd: top,
  }).output();
  assert.equal(code, 2);
  assert.match(new TextDecoder().decode(stderr), /^Cannot write the package into [^\n]*content\n$/);
  assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name), ["notes.txt"]);
});

Deno.test("the npm package serves from a read-only folder, without a build", async (t) => {
  await using installed = await installPackage();
  const root = join(installed.path, "root");
  const data = join(installed.path, "data");
  for (const folder of [root, data]) {
    Deno.mkdirSync(folder);
    if (account.uid !== undefined) Deno.chownSync(folder, account.uid, account.gid);
  }
  Deno.mkdirSync(join(root, "many"));
  plantMany(join(root, "many"), 700);
  Deno.writeFileSync(join(root, "quarters.png"), await quarters(600, 400).png().toBuffer());

  await t.step("it is the bundle, with the licences of what is in it", () => {
    const own = join(installed.command, "..", "..", "..");
    assert.throws(() => Deno.statSync(join(own, "lib", "server")), Deno.errors.NotFound);
    const { dependencies } = JSON.parse(Deno.readTextFileSync(join(own, "package.json")));
    assert.ok(
      "sharp" in dependencies && !("valibot" in dependencies),
      Object.keys(dependencies).join(),
    );
    const licenses = Deno.readTextFileSync(join(own, "THIRD-PARTY-LICENSES"));
    // Of the server, of pages, and within a script of another package.
    for (const name of ["valibot", "@codemirror/view", "jszip"]) {
      assert.match(licenses, new RegExp(`^${name} \\d`, "m"));
    }
    assert.ok(Deno.statSync(join(own, "deploy", "nginx-offload.conf")).isFile);
  });

  await t.step("no link in its documents leads nowhere", () => {
    const own = join(installed.command, "..", "..", "..");
    const documents = ["", "docs", "docs/api"].flatMap((folder) =>
      [...Deno.readDirSync(join(own, folder))].map(({ name }) => join(own, folder, name))
    ).filter((path) => path.endsWith(".md"));
    assert.ok(documents.length > 20);
    const lost = documents.flatMap((path) =>
      [...Deno.readTextFileSync(path).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
        .map(([, way = ""]) => join(path, "..", way)).filter((target) => !isThere(target))
    );
    assert.deepEqual(lost, []);
  });

  await t.step("a bad flag is one line, and the status is 2", async () => {
    const { code, stderr } = await call(installed, ["--no-such-flag"]);
    assert.equal(code, 2);
    assert.match(stderr, /^Cannot use --no-such-flag[^\n]*\n$/);
  });

  await t.step(
    "compile refuses a folder that it cannot write, in a line with the way out",
    async () => {
      const { code, stderr } = await call(installed, ["compile"]);
      assert.equal(code, 2);
      assert.match(stderr, /^Cannot compile: [^\n]*run it as the account that owns it\n$/);
    },
  );

  await t.step("--version, --help and the commands of the command line are there", async () => {
    assert.match((await call(installed, ["--version"])).stdout, /^Cubby \d/);
    assert.match((await call(installed, ["--help"])).stdout, /^Usage: cubby-files \[flags\]/);
    const shell = installed.command.replace(/\.js$/, ".sh");
    const withoutNode = await command(installed, ["--version"], {}, shell).output();
    assert.match(new TextDecoder().decode(withoutNode.stdout), /^Cubby \d/);
    const { code, stdout } = await call(installed, [
      ...["users", "add", "anna", "a fox sleeps under 9 stars"],
      ...["--database", join(data, "other.kv")],
    ]);
    assert.equal(code, 0, stdout);
    // By a route, which is loaded late.
    const added = await call(installed, [
      ...["groups", "add", "staff", "--database", join(data, "other.kv")],
    ]);
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /\bstaff\b/);
  });

  const place = [
    "--root",
    root,
    "--database",
    join(data, "cubby.kv"),
    "--port",
    String(freePort()),
  ];
  await t.step("health says that none serves", async () => {
    const { code, stderr } = await call(installed, ["health", ...place]);
    assert.equal(code, 1);
    assert.match(stderr, /^Not ready: [^\n]+\n$/);
  });

  const flags = ["--username", username, "--password", password, "--disable-exec=false"];
  await using server = await start(installed, [...place, ...flags, "--disable-media-programs"]);
  const token = await (await fetch(`${server.url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  })).text();
  const get = (path: string) => fetch(`${server.url}${path}`, { headers: { "x-auth": token } });

  await t.step("it says what confines it, and commands have their sandbox", () => {
    assert.match(server.output(), /^Sandbox: .*; commands on, each in a sandbox of its own/m);
    assert.doesNotMatch(server.output(), /Building/);
  });

  await t.step("pages come with their scripts and styles", async () => {
    const page = await (await fetch(`${server.url}/login`)).text();
    const addresses = page.match(/\/[\w./-]+\.(?:css|js)(?=["?])/g) ?? [];
    assert.ok(addresses.length >= 3, addresses.join());
    for (const address of addresses) {
      const answer = await fetch(new URL(address, server.url));
      assert.equal(answer.status, 200, address);
      assert.ok((await answer.bytes()).length > 100, address);
    }
  });

  await t.step(
    "threads and native packages work: listing, upload, archive, thumbnail",
    async () => {
      const listed = await (await get("/api/resources/many/")).json();
      assert.equal(listed.items.length, 700);
      const uploaded = await fetch(`${server.url}/api/resources/new.txt`, {
        method: "POST",
        headers: { "x-auth": token },
        body: "new",
      });
      assert.equal(uploaded.status, 200, await uploaded.text());
      assert.equal(Deno.readTextFileSync(join(root, "new.txt")), "new");
      const zip = await get("/api/raw/many/?algo=zip");
      assert.equal(zip.status, 200);
      assert.deepEqual([...(await zip.bytes()).subarray(0, 2)], [0x50, 0x4b]);
      const thumbnail = await get("/api/preview/thumb/quarters.png");
      assert.equal(thumbnail.status, 200);
      assert.match(thumbnail.headers.get("content-type") ?? "", /^image\//);
      await thumbnail.body?.cancel();
    },
  );

  await t.step("a backup is taken while it serves, and none is put in its place", async () => {
    const file = join(data, "backup.kv");
    const taken = await call(installed, ["backup", file, ...place.slice(0, 4)]);
    assert.equal(taken.code, 0, taken.stderr);
    assert.match(taken.stdout, /^Wrote \d+ records, 1 users among them/);
    const put = await call(installed, ["restore", file, "--overwrite", ...place.slice(0, 4)]);
    assert.equal(put.code, 2);
    assert.match(put.stderr, /^Cannot restore into [^\n]* uses it\n$/);
    assert.equal((await (await get("/api/resources/")).json()).name, "");
  });

  await t.step("health says that it serves", async () => {
    const { code, stdout } = await call(installed, ["health", ...place]);
    assert.equal(code, 0);
    assert.equal(stdout, "ready\n");
  });

  await t.step("SIGTERM to the command ends the server in order", async () => {
    assert.equal(await server.stop(), 0);
  });
});

function isThere(path: string): boolean {
  try {
    return Boolean(Deno.statSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** How the account runs the command: with nothing of this process's environment. */
function command(
  installed: Installed,
  args: string[],
  more: Deno.CommandOptions = {},
  program = installed.command,
) {
  return new Deno.Command(program.endsWith(".sh") ? "sh" : "node", {
    args: [program, ...args],
    cwd: installed.path,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: "/nonexistent" },
    stdin: "null",
    ...account,
    ...more,
  });
}

async function call(installed: Installed, args: string[]) {
  const { code, stdout, stderr } = await command(installed, args).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function start(installed: Installed, args: string[]) {
  const child = command(installed, args, { stdout: "piped", stderr: "piped" }).spawn();
  const drained = child.stderr.pipeTo(new WritableStream());
  let printed = "";
  const listening = Promise.withResolvers<string>();
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      printed += text;
      const url = /Listening on (\S+?)\/\s/.exec(printed)?.[1];
      if (url) listening.resolve(url);
    }
    listening.reject(new Error(`It does not listen: ${printed}`));
  })();
  let stopping: Promise<number> | undefined;
  const end = async () => {
    child.kill("SIGTERM");
    const { code } = await child.status;
    await Promise.all([reading, drained]);
    return code;
  };
  const stop = () => stopping ??= end();
  return {
    url: await listening.promise,
    output: () => printed,
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}
