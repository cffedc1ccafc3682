/**
 * `deno task release [folder]`: writes all that a release holds into a new folder (`dist` unless
 * named). The same commit gives the same bytes. `--dirty` takes files that no commit has.
 * `--maintainer "Name <address>"` names who publishes the Debian packages; `--publish` refuses what
 * must not be published.
 *
 * `deno task release --program FOLDER`: only the program for this machine, unpacked.
 */
import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../../lib/server/boot/build.ts";
import { appFolder } from "../../lib/server/core/config/app_folder.ts";
import { refuseInOneLine, StartRefusal } from "../../lib/server/core/config/refusal.ts";
import { version } from "../../lib/shared/version.ts";
import {
  findRepository,
  git,
  importedPackages,
  type NpmPackage,
  npmPackage,
  readLock,
} from "../npm/package.ts";
import { bytesOf, type Entry, gzip, tar } from "./archive.ts";
import {
  debianPackage,
  debianVersion,
  readMaintainer,
  type Release,
  unpublished,
} from "./debian.ts";
import { inOrder, type ShippedPackage, thirdPartyLicenses } from "./licenses.ts";
import { notesOf, sectionOf } from "./notes.ts";
import { fetchPackages, neededPackages, type Target, targets } from "./program.ts";
import { billOfMaterials } from "./sbom.ts";

/** The program for a machine, and the packages beside its bundle. */
interface Program {
  entries: Entry[];
  packages: ShippedPackage[];
}

/** What the npm package has for Node, and the licences of its bundle alone. */
const replaced = ["THIRD-PARTY-LICENSES", "deploy/npm/cubby-files.js"];

/** How a release is made. */
interface Options {
  dirty?: boolean;
  maintainer?: string;
  publish?: boolean;
}

/** Writes a release. @throws StartRefusal when it would not be that of a commit */
async function writeRelease(folder: string, options: Options): Promise<void> {
  const release = await readRelease(options);
  const changes = sectionOf(version, read("CHANGELOG.md"));
  prepareFolder(folder);
  say(`Building ${version} of ${release.commit ?? "these files"}`);
  await build(release.commit);
  const npm = await npmPackage();
  put("the npm package", `cubby-files-${version}.tgz`, pack(npm.entries, "package", release));
  const parts = [{ name: "bundle", packages: npm.bundled }];
  for (const target of targets) {
    const { entries, packages } = await programFor(target, npm);
    const name = `cubby-files-${version}-linux-${target.cpu}`;
    parts.push({ name: `linux-${target.cpu}`, packages });
    put(`the program for ${target.cpu}`, `${name}.tar.gz`, pack(entries, name, release));
    const file = `cubby-files_${debianVersion(version)}_${target.debian}.deb`;
    put("the Debian package", file, debianPackage(entries, release, target.debian));
  }
  const shipped = inOrder(parts.flatMap(({ packages }) => packages));
  put("licences", "THIRD-PARTY-LICENSES", bytesOf(thirdPartyLicenses(shipped)));
  const bill = `${JSON.stringify(billOfMaterials(release, parts, readLock()), null, 2)}\n`;
  put("the bill of materials", `cubby-files-${version}.cdx.json`, bytesOf(bill));
  put("what the image is built from", "Dockerfile", bytesOf(dockerfileOf(release)));
  put("the same", ".dockerignore", bytesOf("*\n!*.tar.gz\n"));
  put("the notes", "NOTES.md", bytesOf(notesOf(changes, release)));
  put("checksums", "SHA256SUMS", bytesOf(checksums(folder)));

  function put(what: string, name: string, content: Uint8Array): void {
    Deno.writeFileSync(join(folder, name), content);
    say(`Wrote ${name}: ${what}, ${(content.length / 1e6).toFixed(1)} MB`);
  }
}

/** Writes the program for this machine. */
async function writeProgram(folder: string): Promise<void> {
  const cpu = Deno.build.arch === "x86_64" ? "x64" : "arm64";
  const target = targets.find((target) => target.cpu === cpu);
  if (Deno.build.os !== "linux" || !target) {
    throw new StartRefusal("Cannot make the program for this system: it is made for Linux");
  }
  prepareFolder(folder);
  await ensureBuilt(say);
  const { entries } = await programFor(target, await npmPackage());
  for (const entry of entries) {
    const path = join(folder, entry.path);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if ("link" in entry) Deno.symlinkSync(entry.link, path);
    else Deno.writeFileSync(path, entry.content, { mode: entry.mode ?? 0o644 });
  }
  say(`Wrote the program into "${folder}"`);
}

/**
 * The commit and its time. Without git, as in an unpacked archive, they are those of GITHUB_SHA and
 * of SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/).
 */
async function readRelease({ dirty, maintainer, publish }: Options): Promise<Release> {
  const repository = await findRepository();
  if (publish) refuseToPublish({ dirty, maintainer, repository });
  const head = await git("rev-parse", "HEAD");
  const commit = head ?? Deno.env.get("GITHUB_SHA");
  const given = Number(Deno.env.get("SOURCE_DATE_EPOCH") ?? await git("log", "-1", "--format=%ct"));
  if (head !== undefined && !dirty && await git("status", "--porcelain") !== "") {
    throw new StartRefusal(
      "Cannot release: files differ from the commit; commit them, or add --dirty for a trial",
    );
  }
  if (!Number.isSafeInteger(given) || given <= 0) {
    throw new StartRefusal(
      "Cannot release: there is no git to tell the time of the commit; set SOURCE_DATE_EPOCH",
    );
  }
  const publisher = maintainer ? readMaintainer(maintainer) : unpublished;
  return { version, commit, seconds: given, repository, maintainer: publisher };
}

/** @throws StartRefusal when files would name no publisher, no place of the sources or no commit */
function refuseToPublish(
  { dirty, maintainer, repository }: Options & Pick<Release, "repository">,
): void {
  const missing = dirty
    ? "leave out --dirty"
    : !maintainer
    ? 'a Debian package names who maintains it; add --maintainer "Name <name@example.org>"'
    : repository === undefined
    ? "the address of the repository is not known; add a remote named origin"
    : undefined;
  if (missing !== undefined) throw new StartRefusal(`Cannot publish: ${missing}`);
}

/** Builds anew: the id of a build is part of its bytes, and else a random one. */
async function build(commit: string | undefined): Promise<void> {
  const { success, stderr, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", "lib/server/boot/build.ts"],
    cwd: appFolder,
    env: { GITHUB_SHA: commit ?? version },
  }).output();
  if (success) return;
  const decoder = new TextDecoder();
  throw new StartRefusal(`${decoder.decode(stdout)}${decoder.decode(stderr)}`.trim());
}

/** The program with its packages, Deno among them, and a command at its top. */
async function programFor(target: Target, npm: NpmPackage): Promise<Program> {
  const folder = Deno.makeTempDirSync({ prefix: "cubby-" });
  try {
    const needed = neededPackages(readLock(), importedPackages(), target);
    say(`Fetching ${needed.length} packages for ${target.cpu}`);
    const packages = await fetchPackages(needed, folder);
    const licenses = thirdPartyLicenses(inOrder([...npm.bundled, ...packages]));
    const entries: Entry[] = [
      ...npm.entries.filter(({ path }) => !replaced.includes(path)),
      { path: "THIRD-PARTY-LICENSES", content: bytesOf(licenses) },
      { path: "cubby-files", link: "deploy/npm/cubby-files.sh" },
      ...packages.flatMap(({ entries }) =>
        entries.map((entry) => ({ ...entry, path: `node_modules/${entry.path}` }))
      ),
    ];
    return { entries, packages };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function pack(entries: readonly Entry[], folder: string, { seconds }: Release) {
  return gzip(tar(entries.map((one) => ({ ...one, path: `${folder}/${one.path}` })), seconds));
}

/** The Dockerfile of the release: that of the repository, with the archives in place of a build. */
function dockerfileOf({ version, commit = "", repository = "" }: Release): string {
  const own = read("deploy/Dockerfile");
  const [, image = ""] = own.split(/^(?=# The image has no Node)/m);
  const [, debian = ""] = /^FROM (debian:\S+)/m.exec(image) ?? [];
  const cases = targets.map(({ cpu, debian }) => `${debian}) cpu=${cpu} ;;`).join(" ");
  const values: Record<string, string> = {
    VERSION: version,
    REVISION: commit,
    SOURCE: repository,
  };
  return `\
# The image of Cubby ${version}, built from the archives of its release, in the folder of this file:
#
#   docker build -t cubby .
#   docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --init \\
#     -p 127.0.0.1:8080:8080 -v /srv/files:/srv -v cubby:/data cubby

FROM ${debian} AS build
COPY cubby-files-${version}-linux-*.tar.gz /opt/
RUN case $(dpkg --print-architecture) in ${cases} esac \\
  && mkdir /opt/cubby && cd /opt/cubby \\
  && tar xzf "/opt/cubby-files-${version}-linux-$cpu.tar.gz" --strip-components=1 --no-same-owner \\
  && ./cubby-files compile \\
  && mv node_modules /opt/packages

${
    image.replace(/^ARG (\w+)=""$/gm, (line, name) =>
      name in values ? `ARG ${name}="${values[name]}"` : line)
  }`;
}

/** The lines of `sha256sum`, for all files but its own. */
function checksums(folder: string): string {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  return names.map((name) => {
    const digest = createHash("sha256").update(Deno.readFileSync(join(folder, name))).digest("hex");
    return `${digest}  ${name}\n`;
  }).join("");
}

function prepareFolder(folder: string): void {
  Deno.mkdirSync(folder, { recursive: true });
  if ([...Deno.readDirSync(folder)].length > 0) {
    throw new StartRefusal(`Cannot write into "${folder}": it has content; remove it first`);
  }
}

function read(path: string): string {
  return Deno.readTextFileSync(join(appFolder, path));
}

function say(text: string): void {
  console.log(text);
}

if (import.meta.main) {
  await refuseInOneLine(async () => {
    const { values, positionals: [folder = "dist", ...rest] } = readArguments();
    const at = (path: string) => resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), path);
    if (rest.length > 0) throw new StartRefusal(`Cannot use "${rest[0]}": one folder is enough`);
    if (values.program !== undefined) await writeProgram(at(values.program));
    else await writeRelease(at(folder), values);
  }, "Cannot release");
}

function readArguments() {
  try {
    return parseArgs({
      args: Deno.args.filter((arg) => arg !== "--"),
      allowPositionals: true,
      options: {
        dirty: { type: "boolean" },
        maintainer: { type: "string" },
        program: { type: "string" },
        publish: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new StartRefusal(`Cannot release: ${error instanceof Error ? error.message : error}`);
  }
}
