/** The image without a container engine: its entry point in a folder, beside volumes. */
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
  /** A command that the image has on its path, with variables of `docker run -e`. */
  command(name: string, args: string[], env?: Record<string, string>): Deno.Command;
  /** Runs one of the two commands that the image has on its path. */
  run(command: string, ...args: string[]): Promise<Started>;
  /** As {@linkcode run}, with variables of `docker run -e`. */
  runWith(env: Record<string, string>, command: string, ...args: string[]): Promise<Started>;
}

/**
 * Lays an image out in a folder, with the volumes of a container.
 *
 * @param mounted files that are volumes of their own
 * @param script in place of the program; prints its variables and arguments unless given
 */
export async function openImage(
  volumes: Record<string, string | Uint8Array>,
  mounted: string[] = [],
  script: string = stub,
): Promise<Image> {
  const folder = await temporaryFolder();
  const { path } = folder;
  const points = ["/", "/srv", "/data", ...mounted];
  const mountinfo = points.map((point) => `1 2 8:1 /x ${point} rw - ext4 /dev/sda1 rw\n`).join("");
  const program = { npm: { "cubby-files.sh": script } };
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
    await Deno.writeFile(
      join(path, name),
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }
  await Deno.chmod(join(path, "program/npm/cubby-files.sh"), 0o755);
  await Deno.copyFile(join(deploy, "image-start.sh"), join(path, "program/image-start.sh"));
  await Deno.chmod(join(path, "program/image-start.sh"), 0o755);
  for (const name of ["image-start", "cubby-files"]) {
    await Deno.symlink("../program/image-start.sh", join(path, "bin", name));
  }
  const command = (name: string, args: string[], given: Record<string, string> = {}) =>
    new Deno.Command(join(path, "bin", name), {
      args,
      cwd: join(path, "data"),
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", CUBBY_IMAGE: path, ...variablesOf(path), ...given },
      ...{ stdin: "null", stdout: "piped", stderr: "piped" },
    });
  const runWith = async (given: Record<string, string>, name: string, ...args: string[]) => {
    const { code, stdout, stderr } = await command(name, args, given).output();
    const told = new TextDecoder().decode(stderr).replaceAll(path, "");
    assert.equal(code, 0, told);
    const lines = new TextDecoder().decode(stdout).replaceAll(path, "").trimEnd().split("\n");
    const env = Object.fromEntries(
      lines.filter((line) => line.startsWith("FB_")).map((line) => line.split(/=(.*)/s)),
    );
    return { env, args: lines.at(-1)?.slice("args:".length) ?? "", told };
  };
  const run = (name: string, ...args: string[]) => runWith({}, name, ...args);
  const dispose = () => folder[Symbol.asyncDispose]();
  return { path, command, run, runWith, [Symbol.asyncDispose]: dispose };
}

/** File Browser's settings file. */
export const settingsFile = (more: object) =>
  JSON.stringify({ port: 80, baseURL: "", address: "", log: "stdout", ...more }, null, 2);

/** Variables of a server that imports. */
export interface Chosen extends Record<string, string> {
  FB_DATABASE: string;
  FB_IMPORT_FROM: string;
}

/** The layouts that File Browser documented, with the store and the config file for each. */
export const layouts: Record<
  string,
  { volumes: Record<string, string>; mounted?: string[]; chosen: Chosen }
> = {
  "volumes of the image": {
    volumes: {
      "database/filebrowser.db": "bolt",
      "config/settings.json": settingsFile({ database: "/database/filebrowser.db", root: "/srv" }),
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
      ".filebrowser.json": settingsFile({ database: "/database.db", root: "/srv" }),
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
      "config/settings.json": settingsFile({ database: "/database/filebrowser.db" }),
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
      "config/settings.json": settingsFile({ Database: "config/fb.db", root: "/files" })
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
