/**
 * `deno run -A deploy/catalogues/main.ts OUT [--repository OWNER/NAME] [--image IMAGE] [--sums FILE]
 * [--digest sha256:…]`: writes the catalogue entries of the current version into the new folder OUT.
 * The repository is that of the workflow, or of `origin`, unless named.
 *
 * The files here have tokens such as `@VERSION@` for what a release decides. An entry with a token
 * that has no value, for example the checksum of a tarball without `--sums`, is left out.
 */
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { appFolder } from "../../lib/server/core/config/app_folder.ts";
import { refuseInOneLine, StartRefusal } from "../../lib/server/core/config/refusal.ts";
import { version } from "../../lib/shared/version.ts";
import { findRepository } from "../npm/package.ts";

/** What a release decides. */
export interface Release {
  /** `OWNER/NAME` on GitHub. */
  repository: string;
  /** Name of the image, without a tag; by default the repository's in GitHub's registry. */
  image?: string;
  /** Digest of the published image, for all its architectures. */
  digest?: string;
  /** Content of the release's `SHA256SUMS`. */
  sums?: string;
  date?: Date;
}

/** A file of an entry; its path begins with the catalogue's name. */
interface EntryFile {
  path: string;
  text: string;
  mode: number;
}

/** Entries with all values, and the tokens without a value of those left out. */
interface Entries {
  files: EntryFile[];
  leftOut: Map<string, Set<string>>;
}

const sources = join(appFolder, "deploy/catalogues");
const summary = "A web file manager with shares, former versions and a trash";
const token = /@([A-Z][A-Z0-9_]*)@/g;

/** Files of the project that entries have as well; a picture may change its format. */
const copies = {
  "casaos/Cubby/icon.svg": "static/favicon.svg",
  "home-assistant/cubby/icon.png": "static/icons/icon-192.png",
  "home-assistant/cubby/logo.png": "static/icons/icon-192.png",
  "runtipi/cubby/metadata/logo.jpg": "static/icons/icon-512.png",
  "yunohost/LICENSE": "LICENSE",
};

/** The entries of a release, as texts. @throws StartRefusal for a malformed value */
export function entriesOf(release: Release): Entries {
  const values = valuesOf(release);
  const entries: Entries = { files: [], leftOut: new Map() };
  for (const path of filesBelow(sources)) {
    const name = relative(sources, path);
    const [catalogue = "", ...below] = name.split("/");
    if (below.length === 0) continue;
    const missing = entries.leftOut.get(catalogue) ?? new Set();
    // A number, in a format that has no place for a bare token.
    const text = Deno.readTextFileSync(path).replaceAll('"@TIMESTAMP@"', "@TIMESTAMP@")
      .replace(token, (whole, key: string) => {
        const value = values.get(key);
        if (value === undefined) entries.leftOut.set(catalogue, missing.add(key));
        return value ?? whole;
      });
    entries.files.push({ path: name, text, mode: (Deno.statSync(path).mode ?? 0o644) & 0o777 });
  }
  const isWhole = ({ path }: EntryFile) => !entries.leftOut.has(path.split("/")[0] ?? "");
  return { ...entries, files: entries.files.filter(isWhole) };
}

function valuesOf({ repository, digest, sums, date = new Date(), ...release }: Release) {
  const [, owner, name] = /^([\w-]+)\/([\w.-]+)$/.exec(repository) ?? [];
  if (owner === undefined || name === undefined) {
    throw new StartRefusal(`Cannot use the repository "${repository}": it is not OWNER/NAME`);
  }
  if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new StartRefusal(`Cannot use the digest "${digest}": it is not sha256: and 64 digits`);
  }
  const image = release.image ?? `ghcr.io/${repository.toLowerCase()}`;
  if (!/^[a-z0-9.-]+(?::\d+)?(?:\/[a-z0-9._-]+)+$/.test(image)) {
    throw new StartRefusal(`Cannot use the image "${image}": give a registry and a name, no tag`);
  }
  const site = `https://github.com/${repository}`;
  return new Map<string, string | undefined>(Object.entries({
    VERSION: version,
    SUMMARY: summary,
    IMAGE: image,
    IMAGE_NAME: image.split("/").at(-1),
    DIGEST: digest,
    REPOSITORY: site,
    RELEASE: `${site}/releases/download/v${version}`,
    API: `https://api.github.com/repos/${repository}`,
    REVERSE_DOMAIN: `io.github.${owner}.${name}`.toLowerCase(),
    DATE: date.toISOString().slice(0, 10),
    TIMESTAMP: String(date.getTime()),
    HARDENING: hardening(),
    TARBALL_X64: tarball("x64"),
    TARBALL_ARM64: tarball("arm64"),
    TARBALL_ARCH: tarball("$arch"),
    ASSET_X64: `^${tarball("x64", ".*").replaceAll(".tar.gz", "[.]tar[.]gz")}$`,
    ASSET_ARM64: `^${tarball("arm64", ".*").replaceAll(".tar.gz", "[.]tar[.]gz")}$`,
    ASSET_ARCH: `/${tarball("$arch", '[^/\\"]*')}`,
    SHA256_X64: sumOf(tarball("x64"), sums),
    SHA256_ARM64: sumOf(tarball("arm64"), sums),
  }));
}

/** Name of a release's tarball. */
function tarball(arch: string, of = version): string {
  return `cubby-files-${of}-linux-${arch}.tar.gz`;
}

/** @throws StartRefusal when the sums lack the file */
function sumOf(file: string, sums: string | undefined): string | undefined {
  if (sums === undefined) return undefined;
  const sum = sums.split("\n").map((line) => line.split(/\s+\*?/)).find(([, name]) =>
    name === file
  );
  if (sum?.[0] && /^[0-9a-f]{64}$/.test(sum[0])) return sum[0];
  throw new StartRefusal(`Cannot use the checksums: "${file}" is not among them`);
}

/** The lines of the systemd unit that confine the service, for units of other packages. */
function hardening(): string {
  const unit = Deno.readTextFileSync(join(appFolder, "deploy/systemd/cubby.service"));
  return unit.slice(unit.indexOf("ProtectSystem="), unit.indexOf("[Install]")).trim();
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(join(folder, name)) : join(folder, name)
  ).sort();
}

async function writeEntries(folder: string, { files, leftOut }: Entries): Promise<void> {
  Deno.mkdirSync(folder);
  for (const { path, text, mode } of files) {
    const target = join(folder, path);
    Deno.mkdirSync(dirname(target), { recursive: true });
    Deno.writeTextFileSync(target, text);
    Deno.chmodSync(target, mode);
  }
  for (const [path, source] of Object.entries(copies)) {
    if (leftOut.has(path.split("/")[0] ?? "")) continue;
    const target = join(folder, path);
    if (target.endsWith(".jpg")) {
      await sharp(join(appFolder, source)).flatten({ background: "white" }).jpeg().toFile(target);
    } else Deno.copyFileSync(join(appFolder, source), target);
  }
}

/** `OWNER/NAME` of a web address. */
function onGithub(address: string | undefined): string | undefined {
  return /^https:\/\/github\.com\/([^/]+\/[^/]+)$/.exec(address ?? "")?.[1];
}

if (import.meta.main) {
  await refuseInOneLine(async () => {
    const { values, positionals: [folder, ...rest] } = parseArgs({
      args: Deno.args,
      allowPositionals: true,
      options: {
        repository: { type: "string" },
        image: { type: "string" },
        sums: { type: "string" },
        digest: { type: "string" },
      },
    });
    const { sums, ...others } = values;
    if (folder === undefined || rest.length > 0) {
      throw new StartRefusal("Cannot write the entries: name one new folder");
    }
    const repository = values.repository ?? onGithub(await findRepository());
    if (repository === undefined) {
      throw new StartRefusal(
        "Cannot write the entries: no repository on GitHub is known; add --repository OWNER/NAME",
      );
    }
    const entries = entriesOf({
      ...others,
      repository,
      ...sums === undefined ? {} : { sums: Deno.readTextFileSync(sums) },
    });
    await writeEntries(resolve(folder), entries);
    for (const [catalogue, tokens] of entries.leftOut) {
      console.log(`Left out: ${catalogue} (no value for ${[...tokens].join(", ")})`);
    }
    console.log(`Wrote the entries of Cubby ${version} into "${folder}"`);
  }, "Cannot write the entries");
}
