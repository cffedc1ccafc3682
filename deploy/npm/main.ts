/**
 * `deno task package [folder]`: writes the npm package `cubby-files`, built and pinned, into a new
 * folder (`_package` unless named). `npm pack` there does the rest.
 */
import { dirname, join, resolve } from "node:path";
import { ensureBuilt } from "../../lib/server/boot/build.ts";
import { refuseInOneLine, StartRefusal } from "../../lib/server/core/config/refusal.ts";
import type { Entry } from "../release/archive.ts";
import { npmPackage } from "./package.ts";
import { version } from "../../lib/shared/version.ts";

/** Writes the package. @throws StartRefusal when the folder has content */
async function writePackage(folder: string): Promise<void> {
  refuseContent(folder);
  await ensureBuilt((text) => console.error(text));
  const { entries, needed } = await npmPackage();
  for (const entry of entries) write(folder, entry);
  console.log(`Wrote cubby-files ${version} into "${folder}", which needs ${needed} packages`);
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

function write(folder: string, entry: Entry): void {
  const path = join(folder, entry.path);
  Deno.mkdirSync(dirname(path), { recursive: true });
  if ("link" in entry) return Deno.symlinkSync(entry.link, path);
  Deno.writeFileSync(path, entry.content, { mode: entry.mode ?? 0o644 });
}

if (import.meta.main) {
  const [folder = "_package", ...rest] = Deno.args.filter((arg) => arg !== "--");
  await refuseInOneLine(async () => {
    if (rest.length > 0) throw new StartRefusal(`Cannot use "${rest[0]}": one folder is enough`);
    await writePackage(resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), folder));
  }, "Cannot write the package");
}
