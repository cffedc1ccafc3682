/** The npm package `cubby-files`: the program as it is built, its documents and its samples. */
import { dirname, join, posix } from "node:path";
import { bytesOf, type Entry } from "../release/archive.ts";
import { bundledPackages, type ShippedPackage, thirdPartyLicenses } from "../release/licenses.ts";
import { outside } from "../../lib/server/boot/bundle.ts";
import { appFolder } from "../../lib/server/core/config/app_folder.ts";
import { type Lock, manifestOf } from "./manifest.ts";
import { version } from "../../lib/shared/version.ts";

/** The bundle, what it reads, and what goes with every package. */
const copied = [
  ...["LICENSE", "locales", "static", "_fresh/static", "_fresh/openapi.json", "_fresh/bundle"],
  ...["deploy/npm/cubby-files.js", "deploy/npm/cubby-files.sh"],
  ...["deploy/image-start.sh", "deploy/install.sh", "deploy/systemd", "deploy/nodes"],
  ...["deploy/nginx.conf", "deploy/nginx-offload.conf", "deploy/Caddyfile"],
];

/** Documents, whose links are to lead somewhere, and their pictures. */
const documents = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs"];

/** Folders whose style sheets the server joins (`lib/server/http/pages/style_sheet.ts`). */
const styled = ["components", "lib/client"];

/** The npm package, and what it is made of. */
export interface NpmPackage {
  entries: Entry[];
  /** How many packages npm installs beside it. */
  needed: number;
  /** The packages whose code is in it. */
  bundled: ShippedPackage[];
}

/**
 * Makes the npm package of the current build.
 *
 * @throws StartRefusal when a package of others has no licence
 */
export async function npmPackage(): Promise<NpmPackage> {
  const repository = await findRepository();
  const lock = readLock();
  const manifest = manifestOf({ version, packages: importedPackages(), lock, repository });
  const bundled = await bundledPackages();
  const entries: Entry[] = [
    ...copied.flatMap((name) => filesAt(name)),
    ...styled.flatMap((name) => filesAt(name, /\.css$/)),
    ...documents.flatMap((name) => filesAt(name, /\.(?:md|png)$/)),
    { path: "package.json", content: bytesOf(`${JSON.stringify(manifest, null, 2)}\n`) },
    { path: "THIRD-PARTY-LICENSES", content: bytesOf(thirdPartyLicenses(bundled)) },
  ];
  const paths = new Set(entries.map(({ path }) => path));
  const whole = entries.map((entry) =>
    "content" in entry && entry.path.endsWith(".md")
      ? { ...entry, content: wholeDocument(entry, paths, repository) }
      : entry
  );
  return { entries: whole, needed: Object.keys(manifest.dependencies).length, bundled };
}

/** `deno.lock`. */
export function readLock(): Lock {
  return JSON.parse(Deno.readTextFileSync(join(appFolder, "deno.lock")));
}

/** The packages that the bundle imports, by the specifiers of its imports. */
export function importedPackages(): Set<string> {
  return new Set(outside.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ""));
}

/** The files at or below a path whose names match. */
function filesAt(path: string, names = /^/): Entry[] {
  const place = join(appFolder, path);
  if (Deno.statSync(place).isDirectory) {
    return [...Deno.readDirSync(place)].flatMap(({ name }) => filesAt(`${path}/${name}`, names));
  }
  const mode = path.endsWith(".sh") || path.endsWith("cubby-files.js") ? 0o755 : 0o644;
  return names.test(path) ? [{ path, content: Deno.readFileSync(place), mode }] : [];
}

function wholeDocument(
  { path, content }: { path: string; content: Uint8Array<ArrayBuffer> },
  paths: ReadonlySet<string>,
  repository: string | undefined,
): Uint8Array<ArrayBuffer> {
  const has = (target: string) =>
    paths.has(target) || [...paths].some((path) => path.startsWith(`${target}/`));
  const text = new TextDecoder().decode(content);
  return bytesOf(withWholeLinks(text, { folder: dirname(path), has, repository }));
}

/**
 * Markdown whose links to files that are not passed on lead to the repository or, where its address
 * is not known, are text.
 *
 * @param folder of the document in the repository
 * @param has whether a file or folder is passed on
 */
export function withWholeLinks(
  text: string,
  { folder, has, repository }: {
    folder: string;
    has: (path: string) => boolean;
    repository: string | undefined;
  },
): string {
  return text.replace(
    /\[([^\][]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)/g,
    (found, label: string, way: string, place = "") => {
      const target = posix.join(folder, way);
      if (has(target)) return found;
      if (repository === undefined) return label;
      return `[${label}](${repository}/blob/v${version}/${target}${place})`;
    },
  );
}

/** The web address of the repository: as the variables of the workflow say, or that of `origin`. */
export async function findRepository(): Promise<string | undefined> {
  const [host, name] = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY"].map((key) => Deno.env.get(key));
  if (host && name) return `${host}/${name}`;
  const remote = await git("remote", "get-url", "origin");
  const [, place] = /^(?:https:\/\/|ssh:\/\/git@|git@)([\w.-]+[:/].+?)(?:\.git)?\/?$/.exec(
    remote ?? "",
  ) ?? [];
  return place && `https://${place.replace(":", "/")}`;
}

/** What git prints in the program's folder; undefined where there is none, or it fails. */
export async function git(...args: string[]): Promise<string | undefined> {
  try {
    const command = new Deno.Command("git", { args, cwd: appFolder, stderr: "null" });
    const { success, stdout } = await command.output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
