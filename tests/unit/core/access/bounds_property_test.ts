import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Rule } from "../../../../lib/shared/schemas/rights.ts";
import type { Access } from "../../../../lib/server/core/access/access.ts";
import type { FolderHandle } from "../../../../lib/server/core/access/folder_handle.ts";
import { parsePath } from "../../../../lib/shared/path.ts";
import { DomainError } from "../../../../lib/shared/errors.ts";
import { removeEntry } from "../../../../lib/server/files/remove.ts";
import { uploadFile } from "../../../../lib/server/files/upload/upload.ts";
import { openListingWorker } from "../../../../lib/server/files/workers/workers.ts";
import { memoryPlace, temporaryFolder } from "../../../support/disks/files.ts";
import { fc, runs } from "../../../support/run/property.ts";
import { allow, deny } from "../../../support/data/rules.ts";
import { enter } from "./visitors.ts";

/** Few names, so that random links and paths meet random entries. */
const name = fc.constantFrom("a", "b", "c", ".d");
const names = fc.array(name, { minLength: 1, maxLength: 3 });

/** What links point to: up, down, across, absolute, through each other, nowhere. */
const target = fc.tuple(
  fc.constantFrom("", "", "ROOT/", "SCOPE/", "OUTSIDE/", "/"),
  fc.array(fc.constantFrom("a", "b", "c", ".d", "..", "..", ".", "scope", "outside", "secret"), {
    minLength: 1,
    maxLength: 4,
  }),
).map(([start, parts]) => start + parts.join("/"));

const entry = fc.oneof(
  fc.record({ kind: fc.constant("folder" as const), names }),
  fc.record({ kind: fc.constant("file" as const), names }),
  fc.record({ kind: fc.constant("link" as const), names, target }),
  fc.record({ kind: fc.constant("link" as const), names, target }),
);

const rules = fc.array(
  fc.tuple(fc.boolean(), names).map(([allows, parts]) =>
    allows ? allow(`/${parts.join("/")}`) : deny(`/${parts.join("/")}`)
  ),
  { maxLength: 3 },
);

type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;

/** Two scopes in one root, and a folder outside of it, with a secret in every place out of bounds. */
async function build(entries: Entry[]) {
  const folder = await temporaryFolder(memoryPlace());
  const outside = join(folder.path, "outside");
  const root = join(folder.path, "root");
  const scope = join(root, "scope");
  for (const place of [outside, join(root, "a"), scope]) {
    Deno.mkdirSync(join(place, "b"), { recursive: true });
  }
  for (const place of [folder.path, outside, join(outside, "b"), root, join(root, "a/b")]) {
    Deno.writeTextFileSync(join(place, "secret"), "OUT OF BOUNDS");
  }
  for (const item of entries) {
    const path = join(scope, ...item.names);
    tryTo(() => {
      if (!leadsInto(folder.path, dirname(path))) return;
      if (item.kind === "folder") Deno.mkdirSync(path, { recursive: true });
      if (item.kind === "file") Deno.writeTextFileSync(path, "inside", { createNew: true });
      if (item.kind === "link") {
        const { target } = item;
        Deno.symlinkSync(
          target.replace("ROOT", root).replace("SCOPE", scope).replace("OUTSIDE", outside),
          path,
        );
      }
    });
  }
  const away = () => [...snapshot(outside), ...snapshot(join(root, "a")), ...snapshot(root, false)];
  return { root, scope, away, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

/** Whether what exists of a path leads into a folder: through links, the test itself writes nowhere else. */
function leadsInto(folder: string, path: string): boolean {
  try {
    return `${Deno.realPathSync(path)}/`.startsWith(`${folder}/`);
  } catch {
    return leadsInto(folder, dirname(path));
  }
}

function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // Another random entry is in the way.
  }
}

/** All entries and contents at a place, not going through links. */
function* snapshot(folder: string, deep = true): Iterable<string> {
  for (const item of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = join(folder, item.name);
    yield item.isFile ? `${path}: ${Deno.readTextFileSync(path)}` : path;
    if (item.isDirectory && deep) yield* snapshot(path);
  }
}

/** The plain meaning of path rules, written once more: the last one that holds the path decides. */
function isAllowed(path: string, list: Rule[]): boolean {
  let allowed = true;
  for (const rule of list) {
    if (path === rule.path || path.startsWith(`${rule.path}/`)) allowed = rule.allow;
  }
  return allowed;
}

/** Asserts by the system's own idea of the path that a handle is within bounds and rules. */
function assertWithin(scope: string, path: string, list: Rule[], hidden: boolean): void {
  const real = Deno.realPathSync(join(scope, path));
  assert(real === scope || real.startsWith(`${scope}/`), `${path} is ${real}`);
  for (const seen of [path, real.slice(scope.length) || "/"]) {
    assert(isAllowed(seen, list), `${seen} is denied`);
    assert(!hidden || !seen.includes("/."), `${seen} is hidden`);
  }
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    assert(error instanceof DomainError, String(error));
    return null;
  }
}

async function attemptLater(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    assert(error instanceof DomainError, String(error));
  }
}

function* walk(folder: FolderHandle): Iterable<string> {
  for (const child of folder.read().children) {
    const path = join(folder.path, child.name);
    if (!child.target || child.target.kind === "inside") yield path;
    const below = folder.enter(child);
    if (below) yield* walk(below);
  }
}

async function readAll(access: Access, path: string): Promise<string | null> {
  try {
    using file = await access.read(parsePath(path).path).open();
    const buffer = new Uint8Array(100);
    return new TextDecoder().decode(buffer.subarray(0, await file.read(buffer) ?? 0));
  } catch (error) {
    assert(error instanceof DomainError, String(error));
    return null;
  }
}

Deno.test("no handle ever reaches outside of the scope or around a rule", async () => {
  const listingWorker = openListingWorker();
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 3, maxLength: 14 }),
        fc.array(names, { minLength: 4, maxLength: 10 }),
        rules,
        fc.boolean(),
        async (entries, asked, list, hideDotfiles) => {
          await using s = await build(entries);
          const before = s.away();
          const access = enter(s.root, { scope: "/scope", rules: list, hideDotfiles });
          const paths = asked.map((parts) => `/${parts.join("/")}`);

          const root = attempt(() => access.folder(parsePath("/").path));
          for (const path of root ? walk(root) : []) {
            assertWithin(s.scope, path, list, hideDotfiles);
          }
          for (const path of paths) {
            const entry = attempt(() => access.stat(parsePath(path).path));
            if (entry && !entry.isBroken) assertWithin(s.scope, path, list, hideDotfiles);
            const text = await readAll(access, path);
            assert(text === null || text === "inside", `${path} is ${text}`);
          }
          for (const [index, path] of paths.entries()) {
            const { path: target } = parsePath(path);
            const body = new Blob(["inside"]).stream();
            await attemptLater(() =>
              uploadFile(access, target, body, { override: index % 2 === 0 })
            );
            if (index % 3 === 0) {
              await attemptLater(() => removeEntry(access, listingWorker, target));
            }
          }
          assert.deepEqual(s.away(), before, "something out of bounds changed");
        },
      ),
      { numRuns: runs(150) },
    );
  } finally {
    listingWorker.close();
  }
});
