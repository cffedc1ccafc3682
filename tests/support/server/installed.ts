/** The npm package as an install of it leaves it, without a registry: read-only, and all its own. */
import { dirname, join } from "node:path";
import { temporaryFolder } from "../disks/files.ts";

const top = new URL("../../..", import.meta.url).pathname;
const store = join(top, "node_modules", ".deno");

/** The account that runs what is installed; the tests' own where they may not choose. */
export const account = Deno.uid() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** An install of the package. */
export interface Installed extends AsyncDisposable {
  /** A folder above `node_modules` for roots and stores, which the account may write. */
  path: string;
  /** The command, as Node runs it. */
  command: string;
}

/** Packs the program into a new folder and lays the packages beside it that it names, as npm does. */
export async function installPackage(): Promise<Installed> {
  const folder = await temporaryFolder();
  const packages = join(folder.path, "node_modules");
  const own = join(packages, "cubby-files");
  await run(Deno.execPath(), ["run", "-A", "deploy/npm/main.ts", own]);
  const manifest = JSON.parse(Deno.readTextFileSync(join(own, "package.json")));
  const named = { ...manifest.dependencies, ...manifest.optionalDependencies };
  for (const [name, version] of Object.entries<string>(named)) {
    const place = placeOf(name, version);
    if (place !== null) await copy(place, join(packages, name));
  }
  const runtime = `@deno/${Deno.build.os}-${Deno.build.arch === "x86_64" ? "x64" : "arm64"}-glibc`;
  for (const name of ["deno", runtime]) {
    Deno.mkdirSync(join(packages, name), { recursive: true });
    Deno.writeTextFileSync(join(packages, name, "package.json"), JSON.stringify({ name }));
  }
  await copy(Deno.execPath(), join(packages, runtime, "deno"));
  await run("chmod", ["-R", "a-w,a+rX", packages]);
  if (account.uid !== undefined) Deno.chownSync(folder.path, account.uid, account.gid);
  return {
    path: folder.path,
    command: join(own, manifest.bin["cubby-files"]),
    async [Symbol.asyncDispose]() {
      await run("chmod", ["-R", "u+w", packages]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Where the repository's own install has a package, or what it is an alias of; null for another system's. */
function placeOf(name: string, version: string): string | null {
  const [, target, exact] = /^npm:(.+)@([^@]+)$/.exec(version) ?? [];
  if (target !== undefined && exact !== undefined) return placeOf(target, exact);
  const start = `${name.replace("/", "+")}@${version}`;
  for (const { name: folder } of Deno.readDirSync(store)) {
    if (folder !== start && !folder.startsWith(`${start}_`)) continue;
    return join(store, folder, "node_modules", name);
  }
  return null;
}

async function copy(from: string, to: string): Promise<void> {
  Deno.mkdirSync(dirname(to), { recursive: true });
  await run("cp", ["-RL", from, to]);
}

async function run(program: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, cwd: top }).output();
  if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
}
