/** Paths of hundreds of folders: what a lookup costs is told by the calls that it makes. */
import assert from "node:assert/strict";
import { mock } from "node:test";
import { disk } from "../../../../lib/server/core/disk/this_disk.ts";
import { deny } from "../../../support/data/rules.ts";
import { memoryPlace, plantDeep, temporaryFolder } from "../../../support/disks/files.ts";
import { assertDenied, at, enter } from "./visitors.ts";

const depth = 500;
const below = "/d".repeat(depth - 1);

/** A deep tree, a link to its first folder, and one that has a link again in each of its folders. */
async function setUp() {
  const folder = await temporaryFolder(memoryPlace());
  plantDeep(folder.path, "d", depth, { name: "x.txt", text: "x" });
  Deno.symlinkSync("d", `${folder.path}/link`);
  Deno.symlinkSync(".", `${folder.path}/self`);
  return {
    access: (as = {}) => enter(folder.path, as),
    async [Symbol.asyncDispose]() {
      await new Deno.Command("rm", { args: ["-rf", folder.path] }).output();
    },
  };
}

/** The number of times that a path of the disk is walked down from the top. */
function walksOf(action: () => unknown): number {
  const calls = [mock.method(disk, "look"), mock.method(disk, "folder")];
  try {
    action();
    return calls.reduce((sum, { mock }) => sum + mock.callCount(), 0);
  } finally {
    for (const { mock } of calls) mock.restore();
  }
}

Deno.test("a lookup walks a deep path a few times, and not once for each of its folders", async () => {
  await using s = await setUp();
  for (const as of [{}, { rules: [deny("/secret")], hideDotfiles: true }]) {
    const access = s.access(as);
    for (const top of ["/d", "/link"]) {
      const deep = `${top}${below}`;
      const lookups: Record<string, () => unknown> = {
        refused: () => assertDenied(() => access.stat(at(`${deep}/none`)), "not_found"),
        far: () => assertDenied(() => access.stat(at(`${deep}${deep}`)), "not_found"),
        blocked: () => assertDenied(() => access.create(at(`${deep}/x.txt/none`)), "exists"),
        long: () =>
          assertDenied(() => access.stat(at(`${deep}/${"x".repeat(300)}`)), "invalid_name"),
        found: () => assert(access.stat(at(`${deep}/x.txt`)).isFile),
        create: () => assert.equal(access.create(at(`${deep}/new`)).existing, null),
        place: () => assert.equal(access.placeAt(at(`${deep}/a/b`)), `/d${below}/a/b`),
      };
      for (const [told, lookup] of Object.entries(lookups)) {
        const walks = walksOf(lookup);
        assert(walks > 0 && walks < 40, `${told} ${top}: ${walks} walks`);
      }
    }
  }
});

Deno.test("the place of a path of which nothing is there takes one lookup", async () => {
  await using s = await setUp();
  const missing = "/none".repeat(3_000);
  const walks = walksOf(() => assert.equal(s.access().placeAt(at(missing)), missing));
  assert(walks < 20, `${walks} walks`);
});

Deno.test("a path leads through 40 links in all, as for the kernel, and through no more", async () => {
  await using s = await setUp();
  const through = (links: number) => at(`${"/self".repeat(links)}/d`);
  assertDenied(() => s.access().stat(through(41)), "not_found");
  assertDenied(() => s.access().create(through(41)), "exists");
  assert(s.access().stat(through(40)).isFolder);
});
