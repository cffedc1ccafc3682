/** The software bill of materials of a release, in CycloneDX 1.6. */
import { createHash } from "node:crypto";
import { keyOf, type Lock, readKey } from "../npm/manifest.ts";
import type { Release } from "./debian.ts";
import { runtimes } from "./program.ts";
import type { ShippedPackage } from "./licenses.ts";

/** The packages of a part of the release: the bundle, or what a machine gets beside it. */
export interface Part {
  name: string;
  packages: readonly ShippedPackage[];
}

/** The document, as an object. */
export function billOfMaterials(
  { version, commit, seconds, repository }: Release,
  parts: readonly Part[],
  lock: Lock,
): Record<string, unknown> {
  const packages = new Map<string, { shipped: ShippedPackage; parts: string[] }>();
  for (const { name: part, packages: all } of parts) {
    for (const shipped of all) {
      const key = purlOf(shipped);
      const known = packages.get(key)?.parts ?? [];
      packages.set(key, { shipped, parts: [...new Set([...known, part])] });
    }
  }
  const own = purlOf({ name: "cubby-files", version });
  const sorted = [...packages].sort(([a], [b]) => a < b ? -1 : 1);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(`${own} ${commit}`)}`,
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      tools: { components: [{ type: "application", name: "deno task release", version }] },
      component: {
        ...{ type: "application", "bom-ref": own, name: "cubby-files", version, purl: own },
        licenses: [{ license: { id: "MIT" } }],
        ...repository !== undefined && {
          externalReferences: [{ type: "vcs", url: repository }],
        },
        ...commit !== undefined && { properties: [{ name: "cubby:commit", value: commit }] },
      },
    },
    components: sorted.map(([purl, { shipped, parts }]) => componentOf(purl, shipped, parts, lock)),
    dependencies: [
      { ref: own, dependsOn: sorted.map(([purl]) => purl) },
      ...sorted.map(([ref, { shipped }]) => ({
        ref,
        dependsOn: dependenciesOf(shipped, lock).filter((purl) => packages.has(purl)).sort(),
      })),
    ],
  };
}

function componentOf(
  purl: string,
  { name, version, license, homepage, crates = [] }: ShippedPackage,
  parts: readonly string[],
  lock: Lock,
): Record<string, unknown> {
  const [first = "", last] = name.split("/");
  const digest = lockedAs({ name, version }, lock)?.integrity ?? runtimeDigest(name);
  return {
    ...{ type: name.startsWith("@deno/") ? "platform" : "library", "bom-ref": purl },
    ...last === undefined ? { name } : { group: first, name: last },
    ...{ version, purl, scope: "required" },
    licenses: [{ expression: license.replace(/^\((.*)\)$/, "$1") }],
    ...digest !== undefined && {
      hashes: [{ alg: "SHA-512", content: hexOf(digest) }],
    },
    ...homepage !== undefined && { externalReferences: [{ type: "website", url: homepage }] },
    properties: parts.map((value) => ({ name: "cubby:part", value })),
    ...crates.length > 0 && { components: crates.map((crate) => crateOf(purl, crate)) },
  };
}

/** A crate that is compiled into a package. */
function crateOf(within: string, { name, version, license }: ShippedPackage) {
  const purl = `pkg:cargo/${name}@${version}`;
  return {
    ...{ type: "library", "bom-ref": `${within}/${purl}`, name, version, purl },
    licenses: [
      license.startsWith("LicenseRef-") ? { license: { name: license } } : { expression: license },
    ],
  };
}

function runtimeDigest(name: string): string | undefined {
  const [, cpu] = /^@deno\/linux-(x64|arm64)-glibc$/.exec(name) ?? [];
  return cpu === "x64" || cpu === "arm64" ? runtimes[cpu] : undefined;
}

/** The entry of the lock file; its key ends with the peers of the package. */
function lockedAs({ name, version }: { name: string; version: string }, lock: Lock) {
  const start = `${name}@${version}`;
  const key = Object.keys(lock.npm).find((key) => key === start || key.startsWith(`${start}_`));
  return key === undefined ? undefined : lock.npm[key];
}

function dependenciesOf(shipped: ShippedPackage, lock: Lock): string[] {
  const { dependencies = [], optionalDependencies = [] } = lockedAs(shipped, lock) ?? {};
  return [...dependencies, ...optionalDependencies]
    .map((name) => purlOf(readKey(keyOf(name, lock))));
}

/** The address of a package, as https://github.com/package-url/purl-spec has it. */
function purlOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function hexOf(digest: string): string {
  return Uint8Array.fromBase64(digest.replace(/^sha512-/, "")).toHex();
}

/** An identifier that is the same for the same text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join("-");
}
