/**
 * `deno run -A deploy/release/collect_crates.ts NAME=FOLDER …`: writes `compiled.json`, the Rust
 * crates that are compiled into native code of a release, with the texts of their licences. Run it
 * for another version of such a package. It needs cargo.
 *
 * NAME is the package on npm, and FOLDER has the sources of its version, with their `Cargo.lock`.
 * Packages that are not named stay as they are.
 */
import { basename, dirname, join, relative } from "node:path";
import texts from "spdx-license-list/full";
import { refuseInOneLine, StartRefusal } from "../../lib/server/core/config/refusal.ts";
import { type Compiled, compiledFile, readCompiled } from "./licenses.ts";

/** What is read of `cargo metadata`. */
interface CargoPackage {
  name: string;
  version: string;
  license: string | null;
  license_file: string | null;
  authors: string[];
  manifest_path: string;
  /** Null for what is in the folder itself. */
  source: string | null;
}

/** By the names of Rust, what a release is made for. */
const machines = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/** Of the licences that a crate offers, the first of these counts. */
const preferred = ["MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "0BSD"];

/** The exception that SPDX lists apart from the licences. */
const llvmException = `\
--- LLVM Exceptions to the Apache 2.0 License ----

As an exception, if, as a result of your compiling your source code, portions
of this Software are embedded into an Object form of such source code, you
may redistribute such embedded portions in such Object form without complying
with the conditions of Sections 4(a), 4(b) and 4(d) of the License.

In addition, if you combine or link compiled forms of this Software with
software that is licensed under the GPLv2 ("Combined Software") and if a
court of competent jurisdiction determines that the patent provision (Section
3), the indemnity provision (Section 9) or other Section of the License
conflicts with the conditions of the GPLv2, you may retroactively and
prospectively choose to deem waived or otherwise exclude such Section(s) of
the License, but only in their entirety and only with respect to the Combined
Software.
`;

const licenseFile = /^(?:un)?(?:licen[cs]e|copying|notice|copyright)(?:[.-][\w.-]*)?$/i;

/** Parts of a crate that are not compiled. */
const notCompiled = /(?:^|\/)(?:tests?|testdata|fuzz\w*|bench\w*|examples?|docs?|\.\w+|target)\//i;

/**
 * What the crate of V8 has of others, whose licence files it leaves out: by their names, their SPDX
 * identifiers, and the copyright notes of their sources.
 */
const inV8: readonly [name: string, license: string, copyright: string][] = [
  ["V8", "BSD-3-Clause", "Copyright 2006-2026 the V8 project authors"],
  ["partition_alloc and inspector_protocol", "BSD-3-Clause", "Copyright The Chromium Authors"],
  ["abseil-cpp", "Apache-2.0", "Copyright The Abseil Authors"],
  ["highway", "Apache-2.0", "Copyright Google LLC"],
  ["simdutf", "MIT", "Copyright 2020-2025 The simdutf authors"],
  ["fast_float", "MIT", "Copyright (c) 2021 The fast_float authors"],
  [
    "fp16",
    "MIT",
    "Copyright (c) 2017 Facebook Inc., (c) 2017 Georgia Institute of Technology, (c) 2019 Google LLC",
  ],
  ["dragonbox", "Apache-2.0 WITH LLVM-exception", "Copyright 2020-2025 Junekey Jeon"],
  [
    "libc++, libc++abi, libunwind and llvm-libc",
    "Apache-2.0 WITH LLVM-exception",
    "Part of the LLVM Project",
  ],
  ["rapidhash", "BSD-2-Clause", "Copyright (C) 2024 Nicolas De Carli"],
  ["siphash", "CC0-1.0", "Copyright (c) 2016 Jean-Philippe Aumasson"],
  ["utf8-decoder", "MIT", "Copyright (c) 2008-2009 Bjoern Hoehrmann"],
  ["libm of glibc", "LGPL-2.1-or-later", "Copyright (C) 2001-2022 Free Software Foundation, Inc."],
  ["ICU", "Unicode-3.0", "Copyright (C) 2016 and later: Unicode, Inc. and others"],
  ["zlib", "Zlib", "Copyright (C) 1995-2024 Jean-loup Gailly and Mark Adler"],
];

/** The crates that are linked into a package, without what only builds them. */
async function crates(folder: string): Promise<CargoPackage[]> {
  const linked = new Set<string>();
  const known = new Map<string, CargoPackage>();
  for (const machine of machines) {
    const args = ["tree", "--locked", "--target", machine, "-e", "normal,no-proc-macro"];
    const tree = await cargo([...args, "--prefix", "none", "--format", "{p}"], folder);
    for (const [, name, version] of tree.matchAll(/^(\S+) v(\S+)/gm)) {
      linked.add(`${name}@${version}`);
    }
    const of = ["metadata", "--locked", "--format-version", "1", "--filter-platform", machine];
    const { packages }: { packages: CargoPackage[] } = JSON.parse(await cargo(of, folder));
    for (const one of packages) known.set(`${one.name}@${one.version}`, one);
  }
  return [...linked].sort().flatMap((key) => {
    const found = known.get(key);
    if (!found) throw new StartRefusal(`Cannot describe "${key}": cargo does not know it`);
    // The package itself, whose licence is that on npm.
    return found.source === null && found.license === null ? [] : found;
  });
}

async function cargo(args: string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("cargo", { args, cwd }).output();
  const decoder = new TextDecoder();
  if (!success) throw new StartRefusal(`Cannot run cargo: ${decoder.decode(stderr).trim()}`);
  return decoder.decode(stdout);
}

/** The text that SPDX lists for a licence or an exception. */
function standardText(id: string): string {
  const text = id === "LLVM-exception" ? llvmException : texts[id]?.licenseText;
  if (text === undefined) throw new StartRefusal(`Cannot collect: there is no text of "${id}"`);
  return text;
}

/** The licence that counts, of those that an expression offers. */
function chosenOf(expression: string): string {
  const offered = expression.split(/ OR /).map((one) => one.replace(/^\((.*)\)$/, "$1"));
  return preferred.find((one) => offered.includes(one)) ?? expression;
}

/** The texts of a crate: its own files, or those of SPDX with its authors. */
function textsOf(one: CargoPackage): string[] {
  if (one.name !== "v8") return ownTexts(one);
  return [
    ...ownTexts(one),
    ...inV8.map(([name, license, copyright]) => {
      const text = license.split(" WITH ").map(standardText).join("\n\n");
      return `In V8: ${name}. ${copyright} (${license})\n\n${text}`;
    }),
  ];
}

function ownTexts({ name, license, license_file, manifest_path, authors }: CargoPackage): string[] {
  const folder = dirname(manifest_path);
  const expression = (license ?? "").replaceAll("/", " OR ");
  const chosen = chosenOf(expression);
  const all = [...licenseFiles(folder)];
  const named = license_file === null ? [] : [join(folder, license_file)];
  const top = all.filter((path) => dirname(path) === folder);
  const ofChosen = top.filter((path) =>
    basename(path).toUpperCase().includes(chosen.toUpperCase())
  );
  const own = [...new Set([...named, ...ofChosen.length > 0 ? ofChosen : top])];
  const nested = all.filter((path) => dirname(path) !== folder);
  const found = [...own, ...nested].map((path) => Deno.readTextFileSync(path));
  if (own.length > 0) return found;
  const standard = chosen.split(/ (?:AND|OR|WITH) /).map((id) => {
    const owner = authors.map((one) => one.replace(/ <.*>$/, "")).join(", ") ||
      `the authors of ${name}`;
    const line = /^Copyright \(c\) <year> <(?:copyright holders|owner)>/im;
    return standardText(id.replace(/[()]/g, "")).replace(line, `Copyright (c) ${owner}`);
  });
  return [...standard, ...found];
}

function* licenseFiles(folder: string, top = folder): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    const path = join(folder, name);
    if (isDirectory) {
      if (!notCompiled.test(`${relative(top, path)}/`)) yield* licenseFiles(path, top);
    } else if (licenseFile.test(name) && !/\.(?:rs|c|h|html|py|js|ts|json|toml)$/.test(name)) {
      yield path;
    }
  }
}

/** Adds the crates of packages to those that are known. */
async function collect(packages: [name: string, folder: string][]): Promise<Compiled> {
  const former = readCompiled();
  const all = new Map(
    Object.entries(former.packages).map(([name, list]) => [
      name,
      list.map(({ texts, ...one }) => ({
        ...one,
        texts: texts.map((at) => former.texts[at]?.join("\n") ?? ""),
      })),
    ]),
  );
  for (const [name, folder] of packages) {
    all.set(
      name,
      (await crates(folder)).map((one) => ({
        ...{ name: one.name, version: one.version },
        license: (one.license ?? "LicenseRef-own").replaceAll("/", " OR "),
        texts: [...new Set(textsOf(one).map(tidy))],
      })),
    );
  }
  const texts: string[][] = [];
  const numberOf = new Map<string, number>();
  const found = Object.fromEntries(
    [...all].sort().map(([name, list]) => [
      name,
      list.map((one) => ({ ...one, texts: one.texts.map(number) })),
    ]),
  );
  return { packages: found, texts };

  function number(text: string): number {
    const key = text.replace(/\s+/g, " ");
    const known = numberOf.get(key) ?? texts.push(text.split("\n")) - 1;
    numberOf.set(key, known);
    return known;
  }
}

/** The document with a line for each crate, and for each line of a text. */
function linesOf({ packages, texts }: Compiled): string {
  const list = (items: unknown[]) => `[\n${items.map((one) => JSON.stringify(one)).join(",\n")}\n]`;
  const all = Object.entries(packages).map(([name, one]) =>
    `${JSON.stringify(name)}: ${list(one)}`
  );
  return `{\n"packages": {\n${all.join(",\n")}\n},\n"texts": [\n${
    texts.map((one) => list(one)).join(",\n")
  }\n]\n}\n`;
}

/** Without blanks at the ends of lines and around. */
function tidy(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n").replace(/[ \t\f]+$/gm, "").trim();
}

if (import.meta.main) {
  await refuseInOneLine(async () => {
    const packages = Deno.args.map((arg): [string, string] => {
      const [, name, folder] = /^([^=]+)=(.+)$/.exec(arg) ?? [];
      if (name && folder) return [name, folder];
      throw new StartRefusal(`Cannot collect "${arg}": write NAME=FOLDER`);
    });
    const found = await collect(packages);
    Deno.writeTextFileSync(compiledFile, linesOf(found));
    for (const [name] of packages) console.log(`${name}: ${found.packages[name]?.length} crates`);
  });
}
