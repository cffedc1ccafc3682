/**
 * `deno task package [folder]`: writes the npm package `cubby-files`, built and pinned, into a new
 * folder (`_package` unless named). `npm pack` or `npm publish` there does the rest.
 */
import { dirname, join, resolve } from "node:path";
import { ensureBuilt } from "../../lib/server/boot/build.ts";
import { appFolder } from "../../lib/server/core/config/app_folder.ts";
import { refuseInOneLine, StartRefusal } from "../../lib/server/core/config/refusal.ts";
import { manifestOf } from "./manifest.ts";
import { collectModules, type Program, rewriteImports } from "./modules.ts";
import { version } from "../../lib/shared/version.ts";

/** Files besides the modules: what the server reads, and what goes with every package. */
const copied = [
  ...["LICENSE", "README.md", "CHANGELOG.md", "locales", "static"],
  ...["_fresh/static", "_fresh/openapi.json", "_fresh/bundle"],
  ...["deploy/npm/cubby-files.js", "deploy/npm/cubby-files.sh"],
  ...["deploy/image-start.sh", "deploy/install.sh"],
  ...["deploy/systemd", "deploy/nginx.conf", "deploy/Caddyfile"],
];

/** Folders whose style sheets the server joins (`lib/server/http/pages/style_sheet.ts`). */
const styled = ["components", "lib/client"];

/** Writes the package. @throws StartRefusal when the folder has content, or `fresh` is not lib/fresh */
async function writePackage(folder: string): Promise<void> {
  refuseContent(folder);
  if (
    import.meta.resolve("fresh") !== String(new URL("../../lib/fresh/src/mod.ts", import.meta.url))
  ) {
    throw new StartRefusal(
      'Cannot pack: add "./lib/fresh" to links in deno.json: npm has no Fresh',
    );
  }
  await ensureBuilt((text) => console.error(text));
  const program = collectModules(await transpiled());
  for (const name of copied) copy(join(appFolder, name), join(folder, name));
  for (const name of styled) copy(join(appFolder, name), join(folder, name), /\.css$/);
  for (const [path, code] of program.modules) {
    write(join(folder, path.replace(/\.tsx?$/, ".js")), rewriteImports(path, code, program));
  }
  const lock = JSON.parse(Deno.readTextFileSync(join(appFolder, "deno.lock")));
  const manifest = manifestOf({ version, packages: program.packages, lock });
  write(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(
    `Wrote cubby-files ${version} into "${folder}": ${program.modules.size} modules, ` +
      `${Object.keys(manifest.dependencies).length} packages`,
  );
}

function refuseContent(folder: string): void {
  try {
    if ([...Deno.readDirSync(folder)].length === 0) return;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw new StartRefusal(`Cannot write the package into "${folder}": it is not a folder`);
  }
  throw new StartRefusal(`Cannot write the package into "${folder}": it has content`);
}

/** The modules of the program as JavaScript, by their paths in the repository. */
async function transpiled(): Promise<Program["modules"]> {
  const names = ["components", "islands", "lib", "routes", "main.ts"];
  const sources = names.flatMap((name) => filesAt(name)).filter(isSource);
  const folder = await Deno.makeTempDir({ prefix: "cubby-package-" });
  try {
    const args = ["transpile", "--quiet", "--outdir", folder, ...sources];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args,
      cwd: appFolder,
      stdin: "null",
    }).output();
    if (!success) {
      throw new StartRefusal(`Cannot transpile:\n${new TextDecoder().decode(stderr).trim()}`);
    }
    const made = sources.map((path) =>
      [path, Deno.readTextFileSync(join(folder, path.replace(/\.tsx?$/, ".js")))] as const
    );
    const plain = [...filesAt("lib/react"), ...filesAt("_fresh", 1)]
      .filter((path) => path.endsWith(".js"))
      .map((path) => [path, Deno.readTextFileSync(join(appFolder, path))] as const);
    return new Map([...made, ...plain]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function isSource(path: string): boolean {
  return /\.tsx?$/.test(path) && !path.endsWith(".d.ts") && !path.startsWith("lib/fresh/src/dev/");
}

/** The files below a name, relative to the repository. */
function filesAt(name: string, depth = Infinity): string[] {
  if (Deno.statSync(join(appFolder, name)).isFile) return [name];
  if (depth === 0) return [];
  return [...Deno.readDirSync(join(appFolder, name))]
    .flatMap((entry) => filesAt(`${name}/${entry.name}`, depth - 1));
}

/** Copies a file, or the files of a folder whose names match. */
function copy(from: string, to: string, names = /^/): void {
  if (!Deno.statSync(from).isDirectory) {
    if (names.test(from)) write(to, Deno.readFileSync(from));
    return;
  }
  for (const { name } of Deno.readDirSync(from)) copy(join(from, name), join(to, name), names);
}

function write(path: string, content: string | Uint8Array<ArrayBuffer>): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  Deno.writeFileSync(path, bytes, { mode: isRun(path) ? 0o755 : 0o644 });
}

/** Whether a file of the package is a program. */
function isRun(path: string): boolean {
  return path.endsWith(".sh") || path.endsWith("cubby-files.js");
}

if (import.meta.main) {
  const [folder = "_package", ...rest] = Deno.args.filter((arg) => arg !== "--");
  await refuseInOneLine(async () => {
    if (rest.length > 0) throw new StartRefusal(`Cannot use "${rest[0]}": one folder is enough`);
    await writePackage(resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), folder));
  });
}
