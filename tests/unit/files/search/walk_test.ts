import assert from "node:assert/strict";
import { join } from "node:path";
import type { Bytes } from "../../../../lib/server/core/concurrency/protocol.ts";
import { WorkerCall } from "../../../../lib/server/core/concurrency/serve_worker.ts";
import type { WalkOrder } from "../../../../lib/server/files/search/folder_visit.ts";
import { parseQuery, wholePart } from "../../../../lib/server/files/search/query.ts";
import { walkFolders } from "../../../../lib/server/files/search/walk.ts";
import { WalkHelpers } from "../../../../lib/server/files/workers/walk_helpers.ts";
import { denyMatching } from "../../../support/data/rules.ts";
import { memoryPlace, plantMany, temporaryFolder } from "../../../support/disks/files.ts";
import { at, enter, type viewer } from "../../core/access/visitors.ts";

const helped = new WalkHelpers(2, 0);
const alone = new WalkHelpers(0);
const folder = await temporaryFolder(memoryPlace());
Deno.test.afterAll(async () => {
  helped.close();
  await folder[Symbol.asyncDispose]();
});

for (let index = 0; index < 400; index++) {
  const inner = join(folder.path, `folder ${index}`);
  Deno.mkdirSync(join(inner, "below", "Needle folder"), { recursive: true });
  Deno.writeTextFileSync(join(inner, `a needle ${index}.txt`), "");
  Deno.writeTextFileSync(join(inner, `ein NÉEDLE ${index}.key`), "");
  Deno.writeTextFileSync(join(inner, "below", `${"#%?日本 `"} needle`), "");
  Deno.symlinkSync("../..", join(inner, "below", "needle link"));
}
plantMany(join(folder.path, "folder 333", "below"), 1_500);

type Helpers = Pick<WalkHelpers, "join" | "afterMs">;

/** Starts the threads of helpers, and counts the batches that they visit. */
async function ready(helpers: WalkHelpers): Promise<Helpers & { visits(): number }> {
  let visits = 0;
  const warm = Promise.withResolvers<void>();
  using team = helpers.join({ access: enter(folder.path), path: at("/"), order: "all" });
  team.start(() => warm.resolve());
  await warm.promise;
  return {
    afterMs: 0,
    visits: () => visits,
    join(walk) {
      const team = helpers.join(walk);
      const start: typeof team.start = (onReady) =>
        team.start(({ visit }) =>
          onReady({
            visit(folders) {
              visits++;
              return visit(folders);
            },
          })
        );
      return { start, [Symbol.dispose]: () => team[Symbol.dispose]() };
    },
  };
}

/** Walks with or without help. */
async function walk(
  order: WalkOrder,
  helpers: Helpers,
  as: Parameters<typeof viewer>[0] = {},
): Promise<string[]> {
  const { call, text } = reading();
  const access = enter(folder.path, as);
  await walkFolders({ access, path: at("/"), order, format: "json" }, call, helpers);
  return JSON.parse(text()).map((entry: unknown) => JSON.stringify(entry));
}

/** A call whose reader takes all that comes. */
function reading() {
  const decoder = new TextDecoder();
  let text = "";
  const call: WorkerCall = new WorkerCall(1, (reply) => {
    if (!("part" in reply)) return;
    text += decoder.decode(reply.part satisfies Bytes, { stream: true });
    queueMicrotask(() => call.grant(1));
  });
  call.begin(undefined, 1);
  return { call, text: () => text };
}

/** Walks again and again until helpers have had a part in it, each time with the same results. */
async function assertHelped(
  order: WalkOrder,
  expected: readonly string[],
  as: Parameters<typeof viewer>[0] = {},
): Promise<void> {
  const team = await ready(helped);
  for (const end = Date.now() + 30_000; team.visits() === 0;) {
    assert(Date.now() < end, "nobody has helped");
    assert.deepEqual(await walk(order, team, as), expected);
  }
}

const order = (text: string, part = wholePart): WalkOrder => ({
  ...{ query: parseQuery(text), details: false, media: false },
  ...part,
});

Deno.test("helpers of a walk show no more than the viewer may know of", async () => {
  const as = { rules: [denyMatching("\\.key$"), denyMatching("folder 7\\d")], hideDotfiles: true };
  const found = await walk(order("needle"), alone, as);
  assert.equal(found.length, 390 * 4);
  assert(!found.some((entry) => /\.key|folder 7\d/.test(entry)));
  await assertHelped(order("needle"), found, as);
});

Deno.test("helpers of a walk leave its results and their order as they are", async () => {
  for (
    const text of ["needle", "Needle case:sensitive", "日本", "type:folder", "entry", "néedle"]
  ) {
    const found = await walk(order(text), alone);
    assert(found.length > 0, text);
    await assertHelped(order(text), found);
  }
  const all = await walk("all", alone);
  assert.equal(all.length, 400 * 7 + 1_500);
  await assertHelped("all", all);
});

Deno.test("a walk goes on without helpers that die", async () => {
  const dying = new WalkHelpers(2, 0);
  const team = await ready(dying);
  const walking = walk("all", team);
  const timer = setInterval(() => team.visits() > 0 && dying.close(), 1);
  try {
    assert.deepEqual(await walking, await walk("all", alone));
  } finally {
    clearInterval(timer);
    dying.close();
  }
});

Deno.test("a cancelled walk ends, and so does the part of its helpers", async () => {
  const { call } = reading();
  const access = enter(folder.path);
  const walking = walkFolders(
    { access, path: at("/"), order: "all", format: "json" },
    call,
    helped,
  );
  call.cancel();
  await assert.rejects(walking, { name: "AbortError" });
});
