/**
 * `deno task package [folder]`: writes the npm package `cubby-files`, built and pinned, into a new
 * folder (`_package` unless named). `npm pack` or `npm publish` there does the rest.
 */
import { dirname, join, resolve } from "node:path";
import { ensureBuilt } from "../../lib/server/boot/build.ts";
import { outside } from "../../lib/server/boot/bundle.ts";
import { appFolder, bundleFolder } from "../../lib/server/core/config/app_folder.ts";
import { refuseInOneLine, StartRefusal } from "../../lib/server/core/config/refusal.ts";
import { manifestOf } from "./manifest.ts";
import { version } from "../../lib/shared/version.ts";

/** The bundle, what it reads, and what goes with every package. */
const copied = [
  ...["LICENSE", "README.md", "CHANGELOG.md", "locales", "static"],
  ...["_fresh/static", "_fresh/openapi.json", "_fresh/bundle"],
  ...["deploy/npm/cubby-files.js", "deploy/npm/cubby-files.sh"],
  ...["deploy/image-start.sh", "deploy/install.sh"],
  ...["deploy/systemd", "deploy/nginx.conf", "deploy/Caddyfile"],
];

/** Folders whose style sheets the server joins (`lib/server/http/pages/style_sheet.ts`). */
const styled = ["components", "lib/client"];

/** Writes the package. @throws StartRefusal when the folder has content */
async function writePackage(folder: string): Promise<void> {
  refuseContent(folder);
  await ensureBuilt((text) => console.error(text));
  for (const name of copied) copy(join(appFolder, name), join(folder, name));
  for (const name of styled) copy(join(appFolder, name), join(folder, name), /\.css$/);
  write(join(folder, "LICENSES-of-packages.txt"), bundledLicenses());
  const lock = JSON.parse(Deno.readTextFileSync(join(appFolder, "deno.lock")));
  const manifest = manifestOf({ version, packages: importedPackages(), lock });
  write(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(
    `Wrote cubby-files ${version} into "${folder}", which needs ` +
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

/** The packages that the bundle imports, by the specifiers of its imports. */
function importedPackages(): Set<string> {
  return new Set(outside.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""));
}

/** The licences of all packages whose code is in the bundle; packages with one text share it. */
function bundledLicenses(): string {
  const owners = new Map<string, Set<string>>();
  for (const path of filesBelow(bundleFolder)) {
    for (const [, folder = ""] of Deno.readTextFileSync(path).matchAll(bundledPackage)) {
      const text = licenseIn(join(appFolder, folder));
      const name = folder.split("/node_modules/").at(-1) ?? "";
      owners.set(text, (owners.get(text) ?? new Set()).add(name));
    }
  }
  return [...owners].map(([text, names]) => `${[...names].sort().join(", ")}\n\n${text}\n`)
    .sort().join(`\n${"-".repeat(80)}\n\n`);
}

/** The line with which the bundler begins a module of a package: group 1 is the package's folder. */
const bundledPackage =
  /^\/\/ (?:\.\.\/)*(node_modules\/\.deno\/[^/\n]+\/node_modules\/(?:@[^/\n]+\/)?[^/\n]+)\//gm;

/** @throws StartRefusal when a package has none: its code may not be passed on then */
function licenseIn(folder: string): string {
  const name = [...Deno.readDirSync(folder)].map(({ name }) => name).sort()
    .find((name) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(name));
  if (name !== undefined) return Deno.readTextFileSync(join(folder, name)).trim();
  const { license } = JSON.parse(Deno.readTextFileSync(join(folder, "package.json")));
  if (typeof license === "string") return `Licence: ${license}`;
  throw new StartRefusal(`Cannot pack: "${folder}" has no licence`);
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(join(folder, name)) : join(folder, name)
  ).filter((path) => path.endsWith(".js"));
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
