/** The entries for app catalogues, as a release makes them. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { entriesOf, type Release } from "../../../deploy/catalogues/main.ts";
import { readCommand, readDockerfile, readPairs } from "../../../deploy/prove/dockerfile.ts";
import { version } from "../../../lib/shared/version.ts";

export const top = new URL("../../../", import.meta.url);
/** The folder of the sources. */
export const folder = new URL("deploy/catalogues/", top).pathname;
/** The digest of its image, and the sums of its tarballs. */
export const digest = `sha256:${"d".repeat(64)}`;
export const sums = ["x64", "arm64"].map((arch) =>
  `${(arch === "x64" ? "a" : "b").repeat(64)}  cubby-files-${version}-linux-${arch}.tar.gz\n`
).join("");
/** The values of a release. */
export const release: Release = {
  repository: "Owner/cubby",
  digest,
  sums,
  date: new Date(86_400_000),
};
/** Its image. */
export const image = `ghcr.io/owner/cubby:${version}`;
/** The entries for that release. */
export const { files, leftOut } = entriesOf(release);
/** The paths of their files. */
export const paths = files.map(({ path }) => path);

/** Reads a file of an entry. */
export function read(path: string): string {
  const file = files.find((file) => file.path === path);
  assert.ok(file, path);
  return file.text;
}

const steps = readDockerfile(Deno.readTextFileSync(new URL("deploy/Dockerfile", top)));
const only = (name: string) => steps.findLast((step) => step.name === name)?.text ?? "";
/** What the image declares. */
export const port = Number(only("EXPOSE"));
export const volumes = readCommand(only("VOLUME"));
export const uid = Number(/--uid (\d+)/.exec(steps.map(({ text }) => text).join("\n"))?.[1]);
export const env = Object.fromEntries(
  steps.filter(({ name }) => name === "ENV").flatMap(({ text }) => readPairs(text)),
);

/** Writes an entry into a temporary folder. */
export async function withEntry(
  name: string,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const { path, text, mode } of files.filter(({ path }) => path.startsWith(`${name}/`))) {
      Deno.mkdirSync(dirname(join(folder, path)), { recursive: true });
      Deno.writeTextFileSync(join(folder, path), text, { mode });
    }
    await use(join(folder, name));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Whether a program is installed. */
export async function has(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["--help"] }).output()).code < 100;
  } catch {
    return false;
  }
}

/** Runs a program to its end. */
export async function run(program: string, args: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, env }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
