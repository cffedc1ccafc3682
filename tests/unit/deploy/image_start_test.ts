import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { readDockerfile, readPairs } from "../../../deploy/prove/dockerfile.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";

const deploy = new URL("../../../deploy/", import.meta.url).pathname;

/** Stands for the program: prints its variables and arguments. */
const stub = '#!/bin/sh\nenv | grep "^FB_"\necho "args:$*"\n';

/** The variables of the image, whose paths lie in a folder in place of `/`. */
function variablesOf(image: string): Record<string, string> {
  const pairs = readDockerfile(Deno.readTextFileSync(join(deploy, "Dockerfile")))
    .filter(({ name }) => name === "ENV").flatMap(({ text }) => readPairs(text));
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, value.startsWith("/") ? image + value : value]),
  );
}

/** What the program was started with, and what was printed besides. */
interface Started {
  env: Record<string, string>;
  args: string;
  told: string;
}

interface Image extends AsyncDisposable {
  path: string;
  /** Runs one of the two commands that the image has on its path. */
  run(command: string, ...args: string[]): Promise<Started>;
  /** As {@linkcode run}, with variables of `docker run -e`. */
  runWith(env: Record<string, string>, command: string, ...args: string[]): Promise<Started>;
}

/** Lays an image out in a folder, with the volumes of a container. @param mounted files */
async function openImage(
  volumes: Record<string, string>,
  mounted: string[] = [],
): Promise<Image> {
  const folder = await temporaryFolder();
  const { path } = folder;
  const points = ["/", "/srv", "/data", ...mounted];
  const mountinfo = points.map((point) => `1 2 8:1 /x ${point} rw - ext4 /dev/sda1 rw\n`).join("");
  const program = { npm: { "cubby-files.sh": stub } };
  await plant(path, {
    data: {},
    srv: {},
    tmp: {},
    bin: {},
    proc: { self: { mountinfo } },
    program,
  });
  for (const [name, content] of Object.entries(volumes)) {
    await Deno.mkdir(dirname(join(path, name)), { recursive: true });
    await Deno.writeTextFile(join(path, name), content);
  }
  await Deno.chmod(join(path, "program/npm/cubby-files.sh"), 0o755);
  await Deno.copyFile(join(deploy, "image-start.sh"), join(path, "program/image-start.sh"));
  await Deno.chmod(join(path, "program/image-start.sh"), 0o755);
  for (const name of ["image-start", "cubby-files"]) {
    await Deno.symlink("../program/image-start.sh", join(path, "bin", name));
  }
  const runWith = async (given: Record<string, string>, command: string, ...args: string[]) => {
    const { code, stdout, stderr } = await new Deno.Command(join(path, "bin", command), {
      args,
      cwd: join(path, "data"),
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", CUBBY_IMAGE: path, ...variablesOf(path), ...given },
    }).output();
    const told = new TextDecoder().decode(stderr).replaceAll(path, "");
    assert.equal(code, 0, told);
    const lines = new TextDecoder().decode(stdout).replaceAll(path, "").trimEnd().split("\n");
    const env = Object.fromEntries(
      lines.filter((line) => line.startsWith("FB_")).map((line) => line.split(/=(.*)/s)),
    );
    return { env, args: lines.at(-1)?.slice("args:".length) ?? "", told };
  };
  const run = (command: string, ...args: string[]) => runWith({}, command, ...args);
  return { path, run, runWith, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const settings = (more: object) =>
  JSON.stringify({ port: 80, baseURL: "", address: "", log: "stdout", ...more }, null, 2);

/** Variables of a server that imports. */
interface Chosen extends Record<string, string> {
  FB_DATABASE: string;
  FB_IMPORT_FROM: string;
}

/** The layouts that File Browser documented, with the store and the config file for each. */
const layouts: Record<
  string,
  { volumes: Record<string, string>; mounted?: string[]; chosen: Chosen }
> = {
  "volumes of the image": {
    volumes: {
      "database/filebrowser.db": "bolt",
      "config/settings.json": settings({ database: "/database/filebrowser.db", root: "/srv" }),
    },
    chosen: {
      FB_DATABASE: "/database/filebrowser.kv",
      FB_IMPORT_FROM: "/database/filebrowser.db",
      FB_CONFIG: "/config/settings.json",
    },
  },
  "the database alone": {
    volumes: { "database/filebrowser.db": "bolt" },
    chosen: {
      FB_DATABASE: "/database/filebrowser.kv",
      FB_IMPORT_FROM: "/database/filebrowser.db",
      FB_PORT: "80",
    },
  },
  "files in the top folder, as up to 2.32": {
    volumes: {
      "database.db": "bolt",
      ".filebrowser.json": settings({ database: "/database.db", root: "/srv" }),
    },
    mounted: ["/database.db", "/.filebrowser.json"],
    chosen: {
      FB_DATABASE: "/data/database.kv",
      FB_IMPORT_FROM: "/database.db",
      FB_CONFIG: "/.filebrowser.json",
    },
  },
  "a file in place of the volume": {
    volumes: {
      "database/filebrowser.db": "bolt",
      "config/settings.json": settings({ database: "/database/filebrowser.db" }),
    },
    mounted: ["/database/filebrowser.db"],
    chosen: {
      FB_DATABASE: "/data/filebrowser.kv",
      FB_IMPORT_FROM: "/database/filebrowser.db",
      FB_CONFIG: "/config/settings.json",
    },
  },
  "other places in settings.json": {
    volumes: {
      "config/fb.db": "bolt",
      "database/filebrowser.db": "of another server",
      "config/settings.json": settings({ Database: "config/fb.db", root: "/files" })
        .replace("config/fb", "config\\/fb"),
      "files/a.txt": "a",
    },
    chosen: {
      FB_DATABASE: "/config/fb.kv",
      FB_IMPORT_FROM: "/config/fb.db",
      FB_CONFIG: "/config/settings.json",
      FB_ROOT: "/files",
    },
  },
};

for (const [name, { volumes, mounted, chosen }] of Object.entries(layouts)) {
  Deno.test(`the image imports File Browser's database, and commands follow: ${name}`, async () => {
    await using image = await openImage(volumes, mounted);
    const usual = { FB_ADDRESS: "0.0.0.0", FB_ROOT: "/srv", FB_CACHE_DIR: "/data/cache" };
    const wanted: Chosen = { ...usual, ...chosen };
    const server = await image.run("image-start");
    assert.deepEqual(server.env, wanted, server.told);
    const beside = dirname(wanted.FB_DATABASE) === dirname(wanted.FB_IMPORT_FROM);
    assert.equal(server.told.includes('keep "/data" in a volume'), !beside, server.told);
    assert.doesNotMatch(server.told, /No File Browser/);

    for (const [command, ...args] of [["cubby-files", "users", "ls"], ["image-start", "health"]]) {
      const ran = await image.run(command ?? "", ...args);
      assert.deepEqual([ran.env, ran.args], [wanted, args.join(" ")]);
    }

    // A later start, with the store in place and the old file removed.
    const { FB_IMPORT_FROM: old, ...rest } = wanted;
    await Deno.writeTextFile(image.path + wanted.FB_DATABASE, "store");
    await Deno.remove(image.path + old);
    assert.deepEqual((await image.run("image-start")).env, rest);
  });
}

Deno.test("without a File Browser database, the image says what it looked for, once", async () => {
  await using image = await openImage({
    "config/settings.json": settings({ database: "/gone/fb.db" }),
    "database/filebrowser.db": "",
  });
  const { env, told } = await image.run("image-start");
  assert.equal(env.FB_DATABASE, "/data/cubby.kv");
  assert.equal(env.FB_IMPORT_FROM, undefined);
  assert.equal(
    told,
    'No File Browser database was found: looked for "/gone/fb.db" ("/config/settings.json"), ' +
      '"/database/filebrowser.db" and "/database.db"; the store is "/data/cubby.kv"\n',
  );
  await Deno.writeTextFile(join(image.path, "data/cubby.kv"), "store");
  assert.equal((await image.run("image-start")).told, "");
});

Deno.test("a store that a variable or a flag names counts, for commands as well", async () => {
  await using image = await openImage({ "database/filebrowser.db": "bolt" });
  const named = { FB_DATABASE: "/volume/my.db" };
  const { env } = await image.runWith(named, "image-start");
  assert.deepEqual([env.FB_DATABASE, env.FB_IMPORT], ["/volume/my.db", "true"]);
  for (
    const flags of [
      ["--database", "/x/a b.kv"],
      ["--database=/x/a b.kv"],
      ["-d", "/x/a b.kv"],
      ["-d=/x/a b.kv"],
      ["-d/x/a b.kv"],
      ["--port", "9000", "-d", "/x/a b.kv", "--noauth"],
    ]
  ) {
    const server = await image.run("image-start", ...flags, "-r", "/files");
    assert.equal(server.args, [...flags, "-r", "/files"].join(" "));
    const ran = await image.run("cubby-files", "users", "ls");
    assert.deepEqual([ran.env.FB_DATABASE, ran.env.FB_ROOT], ["/x/a b.kv", "/files"]);
    assert.equal(ran.env.FB_IMPORT_FROM, undefined, flags.join(" "));
  }
});

Deno.test("a command of its own container chooses as a server would, and leaves nothing", async () => {
  await using image = await openImage({ "database/filebrowser.db": "bolt" });
  const ran = await image.run("image-start", "users", "ls");
  assert.deepEqual([ran.env.FB_DATABASE, ran.args], ["/database/filebrowser.kv", "users ls"]);
  assert.deepEqual([...Deno.readDirSync(join(image.path, "tmp"))], []);
  const plain = await image.run("cubby-files", "users", "ls");
  assert.deepEqual([plain.env.FB_DATABASE, plain.told], ["/data/cubby.kv", ""]);
});

Deno.test("a store of Cubby's own beside a database to import is named, as it is not used", async () => {
  await using image = await openImage({
    "database/filebrowser.db": "bolt",
    "data/cubby.kv": "store",
  });
  const { env, told } = await image.run("image-start");
  assert.equal(env.FB_DATABASE, "/database/filebrowser.kv");
  assert.equal(told, 'Not used: the store "/data/cubby.kv"\n');
});

Deno.test("what else stands in the file of the choice is no variable of commands", async () => {
  await using image = await openImage({});
  await Deno.writeTextFile(
    join(image.path, "tmp/cubby-files.env"),
    "PATH=/tmp\nFB_ROOT=/a$(touch x)\nLD_PRELOAD=x\nFB_AUTH_METHOD=noauth\n",
  );
  const { env } = await image.run("cubby-files", "users", "ls");
  assert.equal(env.FB_ROOT, "/a$(touch x)");
  assert.equal(env.FB_AUTH_METHOD, undefined);
});
