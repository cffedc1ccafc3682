/** Clean roots and machines in which a release is tried, and the programs that it takes. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import { version } from "../../lib/shared/version.ts";
import { ensurePrograms } from "../support/run/debian.ts";
import { spawnServer } from "../support/server/spawned.ts";

export const top = new URL("../../", import.meta.url).pathname;
const isRoot = Deno.uid() === 0;

export const machine = Deno.build.arch === "x86_64" ? { cpu: "x64", debian: "amd64" } : {
  ...{ cpu: "arm64", debian: "arm64" },
};

/** The place of a repository, which is part of what is written. */
const repository = { GITHUB_SERVER_URL: "https://example.org", GITHUB_REPOSITORY: "owner/name" };

/** Why these programs, and root, are not to be had here; null where they are. */
export async function whyNot(packageOf: Record<string, string>): Promise<string | null> {
  if (!isRoot) return "it needs root";
  try {
    await ensurePrograms(packageOf, "releases");
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export async function release(folder: string, args: string[], env: Record<string, string> = {}) {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "release", ...args],
    cwd: folder,
    env: { NO_COLOR: "1", INIT_CWD: folder, ...repository, ...env },
    stdout: "null",
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

/** Copies what git knows or would add, as an archive of the sources has it. */
export async function copySources(target: string): Promise<void> {
  const listed = await call("git", ["ls-files", "-z", "-co", "--exclude-standard"], { cwd: top });
  for (const path of listed.split("\0").filter((path) => path && isThere(join(top, path)))) {
    Deno.mkdirSync(dirname(join(target, path)), { recursive: true });
    Deno.copyFileSync(join(top, path), join(target, path));
  }
}

export function billSchema() {
  const library = fileURLToPath(import.meta.resolve("@cyclonedx/cyclonedx-library"));
  const folder = join(
    library.slice(0, library.lastIndexOf("cyclonedx-library/")),
    [
      ...["cyclonedx-library", "res", "schema"],
    ].join("/"),
  );
  const schema = (name: string) => JSON.parse(read(join(folder, `${name}.SNAPSHOT.schema.json`)));
  const ajv = new Ajv.default({ strict: false, validateFormats: false });
  // They name each other by their files, which counts from their own address.
  const address = "http://cyclonedx.org/schema/";
  for (const name of ["spdx", "jsf-0.82"]) {
    ajv.addSchema({ ...schema(name), $id: `${address}${name}.SNAPSHOT.schema.json` });
  }
  return ajv.compile(schema("bom-1.6"));
}

export async function unpack(dist: string, cpu: string, target: string): Promise<string> {
  Deno.mkdirSync(target, { recursive: true });
  const name = `cubby-files-${version}-linux-${cpu}`;
  await call("tar", ["xzf", join(dist, `${name}.tar.gz`), "-C", target]);
  return join(target, name);
}

export async function copyOf(base: string, target: string): Promise<Place> {
  await call("cp", ["-a", base, target]);
  return new Place(target);
}

/** The same package with another version. */
export async function withVersion(file: string, version: string, folder: string): Promise<string> {
  await call("dpkg-deb", ["-R", file, folder]);
  const control = join(folder, "DEBIAN", "control");
  Deno.writeTextFileSync(control, read(control).replace(/^Version: .*/m, `Version: ${version}`));
  await call("dpkg-deb", ["-b", "--root-owner-group", "-Znone", folder, `${folder}.deb`]);
  return `${folder}.deb`;
}

/** A root file system where commands are run: this machine's own when the path is empty. */
export class Place {
  constructor(readonly path: string) {}

  command(
    words: string[],
    { env = {}, user }: { env?: Record<string, string>; user?: string } = {},
  ): Deno.Command {
    const [program = "", ...args] = words;
    const options: Deno.CommandOptions = {
      ...{ clearEnv: true, stdin: "null", stdout: "piped", stderr: "piped" },
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive", ...env },
    };
    if (this.path === "") return new Deno.Command(program, { ...options, args });
    const script = [
      ...["set -e", "mount --make-rprivate /", 'mount -t proc proc "$0/proc"'],
      'mount --rbind /dev "$0/dev"',
      `exec chroot ${user === undefined ? "" : `--userspec=${user}`} "$0" "$@"`,
    ].join("\n");
    const inside = ["--mount", "sh", "-c", script, this.path, program, ...args];
    return new Deno.Command("unshare", { ...options, args: inside });
  }

  async run(words: string[]): Promise<string> {
    return await printed(this.command(words), words);
  }
}

/** What a unit starts, and with which variables. */
export function readUnit(unit: string): { command: string; environment: Record<string, string> } {
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const pairs = [...unit.matchAll(/^Environment=(.*)$/gm)]
    .flatMap(([, text = ""]) => text.split(" "))
    .map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split("=");
      return [name, value];
    });
  return { command, environment: Object.fromEntries(pairs) };
}

/** Starts a server on a folder and a store of its own, or on those that the variables name. */
export async function serve(
  place: Place,
  command: string,
  data: string,
  env: Record<string, string> = {},
  user?: string,
) {
  const folders = [data, env.FB_CACHE_DIR ?? `${data}/cache`, env.FB_ROOT ?? `${data}/root`];
  if (place.path === "") { for (const path of folders) Deno.mkdirSync(path, { recursive: true }); }
  else {
    await place.run(["mkdir", "-p", ...folders]);
    if (user !== undefined) await place.run(["chown", "-R", user, ...folders]);
  }
  const port = env.FB_PORT && env.FB_PORT !== "8080" ? env.FB_PORT : String(freePort());
  const variables = {
    ...{ FB_ROOT: `${data}/root`, FB_DATABASE: `${data}/cubby.kv`, FB_ADDRESS: "127.0.0.1" },
    ...{ ...env, FB_PORT: port },
  };
  const { url, output, stop } = await spawnServer(
    place.command([command], { env: variables, user }),
  );

  return {
    url,
    output,
    /** Signs in, writes a file unless there is one, and reads it. @returns the password */
    async holdsFile(known?: string): Promise<string> {
      const password = known ?? /has the password (\S+)/.exec(output())?.[1] ?? "";
      const login = await fetch(`${url}/api/login`, {
        method: "POST",
        body: JSON.stringify({ username: "admin", password }),
      });
      const token = await login.text();
      assert.equal(login.status, 200, token);
      const headers = { "x-auth": token };
      if (known === undefined) {
        const put = await fetch(`${url}/api/resources/a.txt`, {
          ...{ method: "POST", headers, body: "served" },
        });
        assert.equal(put.status, 200, await put.text());
      }
      const got = await fetch(`${url}/api/raw/a.txt`, { headers });
      assert.equal(await got.text(), "served");
      return password;
    },
    async [Symbol.asyncDispose]() {
      assert.equal(await stop(), 0, output());
    },
  };
}

export async function call(program: string, args: string[], options: Deno.CommandOptions = {}) {
  return await printed(new Deno.Command(program, { ...options, args, stdin: "null" }), [
    ...[program, ...args],
  ]);
}

async function printed(command: Deno.Command, words: string[]): Promise<string> {
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  const [out, err] = [decoder.decode(stdout), decoder.decode(stderr)];
  assert.ok(success, `${words.join(" ")}\n${out}${err}`);
  return out;
}

export function isThere(path: string): boolean {
  try {
    return Boolean(Deno.lstatSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

export function read(path: string): string {
  return Deno.readTextFileSync(path);
}

export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
