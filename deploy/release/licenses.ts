/** The packages of others that are passed on, and the texts of their licences. */
import { join } from "node:path";
import texts from "spdx-license-list/full";
import { appFolder, bundleFolder } from "../../lib/server/core/config/app_folder.ts";
import { StartRefusal } from "../../lib/server/core/config/refusal.ts";

/** A package of others that is part of what is passed on. */
export interface ShippedPackage {
  name: string;
  version: string;
  /** An SPDX expression, or the name of a licence that SPDX does not list. */
  license: string;
  /** The texts of its licences, with the notes of its makers. */
  text: string;
  homepage?: string;
  /** The crates that are compiled into its native code. */
  crates?: readonly ShippedPackage[];
}

/** A Rust crate that is compiled into native code. */
interface Crate {
  name: string;
  version: string;
  license: string;
  /** Places among the texts. */
  texts: number[];
}

/**
 * What `collect_crates.ts` writes: the crates by the beginning of the names of packages and their
 * version (`@deno/linux-@2.9.6`), and the texts of their licences, each once.
 */
export interface Compiled {
  packages: Record<string, Crate[]>;
  /** Each as its lines. */
  texts: string[][];
}

/** Where that is. */
export const compiledFile = join(appFolder, "deploy/release/compiled.json");

/** Reads it. */
export function readCompiled(): Compiled {
  return JSON.parse(Deno.readTextFileSync(compiledFile));
}

/**
 * The crates that are compiled into a package; none for one without native code in Rust.
 *
 * @throws StartRefusal when those of another version are known
 */
export function cratesOf(
  { name, version }: Pick<ShippedPackage, "name" | "version">,
  { packages, texts }: Compiled,
): ShippedPackage[] {
  const known = Object.keys(packages)
    .find((key) => name.startsWith(key.slice(0, key.lastIndexOf("@"))));
  if (known === undefined) return [];
  if (!known.endsWith(`@${version}`)) {
    throw new StartRefusal(
      `Cannot pass "${name}@${version}" on: deploy/release/compiled.json has the crates of ` +
        `"${known}"; deploy/release/collect_crates.ts collects them`,
    );
  }
  return (packages[known] ?? []).map((crate) => ({
    ...crate,
    text: crate.texts.map((at) => texts[at]?.join("\n")).join("\n\n"),
  }));
}

/** What is read of a `package.json`. */
interface PackageJson {
  name?: string;
  version?: string;
  license?: string;
  homepage?: string;
  author?: string | { name?: string };
  dependencies?: Record<string, string>;
}

/** Names of files with a licence or its notes. */
const licenseFile = /^(?:\w*licen[cs]e|copying|notice)(?:[.-][\w.-]*)?$/i;

/** Packages whose `package.json` names the licence by a word that SPDX does not know. */
const licenseOf: Readonly<Record<string, string>> = {
  "7z-wasm": "LGPL-2.1-or-later AND BSD-3-Clause AND LicenseRef-unRAR",
  // Of the two that it offers.
  imagescript: "MIT",
};

/** Licences of the libraries within, as the README of the package lists them. */
const within: Readonly<Record<string, string[]>> = {
  "@img/sharp-libvips": [
    ...["BSD-2-Clause", "BSD-3-Clause", "FTL", "IJG", "Libpng", "libtiff", "MIT", "MPL-1.1"],
    "Zlib",
  ],
};

/** Packages of which we use a script that has their dependencies in it already. */
const bundlesItsOwn = ["mammoth"];

/** Licences that build on another. */
const buildsOn: Readonly<Record<string, string>> = { "LGPL-3.0": "GPL-3.0" };

/**
 * Describes a package by its files.
 *
 * @param names the names of the files in its folder
 * @param read reads one of them
 * @throws StartRefusal when it has no licence: it must not be passed on then
 */
export function describePackage(
  names: readonly string[],
  read: (name: string) => string,
): ShippedPackage {
  const manifest: PackageJson = JSON.parse(read("package.json"));
  const { name = "", version = "", homepage } = manifest;
  const license = licenseOf[name] ?? manifest.license ?? "";
  const own = names.filter((name) => licenseFile.test(name)).sort().map((name) =>
    read(name).trim()
  );
  const text = own.length > 0 ? own : [standardText(license.replace(/-or-later$/, ""), manifest)];
  for (const [start, licenses] of Object.entries(within)) {
    if (!name.startsWith(start)) continue;
    text.push(...names.filter((name) => name === "README.md").map((name) => read(name).trim()));
    text.push(...licenses.map((license) => standardText(license, {})));
  }
  const base = Object.keys(buildsOn).find((start) => license.startsWith(start));
  if (base !== undefined) text.push(standardText(buildsOn[base] ?? "", {}));
  if (license === "") throw new StartRefusal(`Cannot pass "${name}" on: it names no licence`);
  return {
    ...{ name, version, license, text: text.join("\n\n") },
    ...typeof homepage === "string" && URL.canParse(homepage) && { homepage },
  };
}

/** The text as SPDX lists it, with the name of the author. */
function standardText(license: string, { name, author }: PackageJson): string {
  const text = texts[license]?.licenseText;
  if (text === undefined) {
    throw new StartRefusal(`Cannot pass "${name}" on: "${license}" is no licence that SPDX lists`);
  }
  const owner = (typeof author === "string" ? author : author?.name) ?? `the authors of ${name}`;
  return text.trim()
    .replace(/^Copyright \(c\) <year> <(?:copyright holders|owner)>/im, `Copyright (c) ${owner}`)
    .replace(/^Copyright \(c\) 2004-2010 by Internet[^]*?Consortium$/m, `Copyright (c) ${owner}`);
}

/** The packages whose code is in the bundle of the server, or in the scripts of pages. */
export async function bundledPackages(): Promise<ShippedPackage[]> {
  const folders = new Set<string>();
  const scripts = [...serverScripts(), ...await pageScripts()];
  for (const script of scripts) {
    for (const [, folder = ""] of script.matchAll(bundledPackage)) folders.add(folder);
  }
  const packages = [...folders].flatMap((path) => {
    const isWhole = bundlesItsOwn.some((name) => path.endsWith(`/node_modules/${name}`));
    return isWhole ? [...withDependencies(join(appFolder, path))] : join(appFolder, path);
  }).map((folder) => {
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    return describePackage(names, (name) => Deno.readTextFileSync(join(folder, name)));
  });
  return inOrder(packages);
}

/** The folders of a package and of all that it depends on, as Deno lays them out: beside each. */
function withDependencies(folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const { name = "", dependencies = {} }: PackageJson = JSON.parse(
    Deno.readTextFileSync(join(folder, "package.json")),
  );
  const beside = folder.slice(0, -name.length);
  for (const next of Object.keys(dependencies)) {
    withDependencies(Deno.realPathSync(join(beside, next)), found);
  }
  return found;
}

/** The line with which the bundler begins a module of a package: group 1 is the package's folder. */
const bundledPackage =
  /^\/\/ (?:\.\.\/)*(?:\S*\/)?(node_modules\/\.deno\/[^/\n]+\/node_modules\/(?:@[^/\n]+\/)?[^/\n]+)\//gm;

function serverScripts(): string[] {
  return filesBelow(bundleFolder).filter((path) => path.endsWith(".js"))
    .map((path) => Deno.readTextFileSync(path));
}

/** The scripts of pages as the build bundles them, but with the names of their modules. */
async function pageScripts(): Promise<string[]> {
  const { success, errors, outputFiles = [] } = await Deno.bundle({
    entrypoints: [
      join(appFolder, "lib/fresh/src/runtime/client/mod.ts"),
      ...filesBelow(join(appFolder, "islands")).filter((path) => path.endsWith(".tsx")),
    ],
    outputDir: join(appFolder, "_fresh", "pages"),
    write: false,
    platform: "browser",
    codeSplitting: true,
  });
  if (!success) throw new Error(`Cannot bundle the pages: ${errors[0]?.text}`);
  return outputFiles.map((file) => file.text());
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(join(folder, name)) : join(folder, name)
  );
}

/** Sorted by name and version, each once. */
export function inOrder(packages: readonly ShippedPackage[]): ShippedPackage[] {
  const found = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
}

/** Where the texts of crates are from, and what is not known. */
const aboutCrates = `\
Native code in Rust has crates compiled in. Cargo listed them for Linux on x64 and arm64: those of
Deno from the lock file of its sources. The sources of @node-rs/bcrypt, snappy, lz4-napi and
@napi-rs/lzma have no lock file; of their crates these are the newest versions that they allow, which
may differ from those in the native code. The texts are the licence files of each crate, also those
of C libraries within it and of parts that may not be compiled in. Of the licences that a crate
offers, MIT counts where it is among them. A crate without a file has the text that SPDX lists, with
its authors. So have the parts of V8, whose crate leaves its licence files out.
`;

/** The content of `THIRD-PARTY-LICENSES`; packages with one text share it. */
export function thirdPartyLicenses(packages: readonly ShippedPackage[]): string {
  const crates = packages.flatMap(({ crates = [] }) => crates)
    .map((crate) => ({ ...crate, name: `crate ${crate.name}` }));
  const owners = Map.groupBy([...packages, ...inOrder(crates)], ({ text }) => text);
  const parts = [...owners].map(([text, owners]) => {
    const lines = owners.map(({ name, version, license, homepage }) =>
      `${name} ${version} (${license})${homepage ? ` ${homepage}` : ""}`
    );
    return `${lines.join("\n")}\n\n${text}\n`;
  });
  return [
    "Cubby contains packages of others, unchanged. These are their licences.\n",
    ...crates.length > 0 ? [aboutCrates] : [],
    ...parts.sort(),
  ].join(`\n${"-".repeat(80)}\n\n`);
}
