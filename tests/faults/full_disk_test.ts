/** Disks that are full, or out of inodes, at each step of what is done on them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { JobInfo } from "../../lib/shared/schemas/job.ts";
import { mountMemory } from "../support/disks/memory_disk.ts";
import { temporaryFolder } from "../support/disks/files.ts";
import { startApp, type TestApp } from "../support/server/app.ts";
import { leftovers, trashFaults } from "./leftovers.ts";
import { bytesOf, longAgo, look, plantAt, type Planted, timeless } from "./kill/place.ts";

const page = 4096;

/** Free inodes, or pages, that are tried from none on: what each operation needs is less. */
const maxSpare = 40;

interface Scene {
  root: string;
  token: string;
  call: TestApp["call"];
}

/** Something that needs room on a disk. */
interface Operation {
  name: string;
  /** Whether it needs room on the second disk. */
  isFar?: boolean;
  /** What is there before. */
  near: Planted;
  far?: Planted;
  prepare?(scene: Scene): Promise<unknown>;
  /** @returns the status, or that of the code with which a job failed */
  run(scene: Scene, prepared: unknown): Promise<number>;
  /** It needs no room. */
  alwaysWorks?: boolean;
}

const statuses: Record<string, number> = { disk_full: 507 };

async function send(
  { call, token }: Scene,
  method: string,
  path: string,
  body?: BodyInit,
  headers?: Record<string, string>,
): Promise<Response> {
  const answer = await call(method, path, { token, body, headers });
  const text = await answer.text();
  return new Response(answer.status === 204 ? null : text, answer);
}

async function status(...args: Parameters<typeof send>): Promise<number> {
  return (await send(...args)).status;
}

async function job(scene: Scene, action: string, entries: object[]): Promise<JobInfo> {
  const headers = { prefer: "wait=30" };
  const body = JSON.stringify({ action, entries });
  return await (await send(scene, "POST", "/api/jobs", body, headers)).json();
}

function statusOf({ failures, state }: JobInfo): number {
  const [failure] = failures;
  if (!failure) return state === "done" || state === "undone" ? 200 : 0;
  return statuses[failure.code] ?? 0;
}

async function undo(scene: Scene, id: string): Promise<number> {
  const headers = { prefer: "wait=30" };
  return statusOf(
    await (await send(scene, "POST", `/api/jobs/${id}/undo`, undefined, headers)).json(),
  );
}

const body = bytesOf("sent", 5 * page);
const file = { "file.bin": bytesOf("former", 3 * page) };
const tree: Planted = {
  ...{ tree: null, "tree/sub": null },
  "tree/a.bin": bytesOf("a", 3 * page),
  "tree/sub/b.bin": bytesOf("b", 2 * page),
};
const modified = `modified=${longAgo.getTime()}`;
const treeTo = (to: string) => [{ path: "/place/tree", destination: `${to}/tree` }];
const over = (to: string) => [
  { path: "/place/from.bin", destination: `${to}/file.bin`, override: true },
];
const pair: Planted = { "from.bin": body, ...file };

const tus: Operation["run"] = async (scene) => {
  const url = "/api/tus/place/file.bin";
  const made = await status(scene, "POST", `${url}?override=true`, undefined, {
    "upload-length": `${body.length}`,
    "upload-metadata": `lastModified ${btoa(String(longAgo.getTime()))}`,
  });
  if (made !== 201) return made;
  const headers = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
  const sent = await status(scene, "PATCH", url, body, headers);
  if (sent !== 204) assert.equal(await status(scene, "DELETE", url), 204);
  return sent;
};

const operations: Operation[] = [
  {
    name: "an upload",
    near: {},
    run: (scene) => status(scene, "POST", `/api/resources/place/x/new.bin?${modified}`, body),
  },
  {
    name: "an upload over a file",
    near: file,
    run: (scene) =>
      status(scene, "POST", `/api/resources/place/file.bin?override=true&${modified}`, body),
  },
  {
    name: "a save",
    near: file,
    run: (scene) => status(scene, "PUT", "/api/resources/place/file.bin", body),
  },
  { name: "an upload in parts", near: file, run: tus },
  {
    name: "a new folder",
    near: {},
    run: (scene) => status(scene, "POST", "/api/resources/place/new/folder/"),
  },
  {
    name: "a copy",
    near: tree,
    run: async (scene) => statusOf(await job(scene, "copy", treeTo("/place/new"))),
  },
  {
    name: "a copy over a file",
    near: pair,
    run: async (scene) => statusOf(await job(scene, "copy", over("/place"))),
  },
  {
    name: "a move over a file",
    near: pair,
    run: async (scene) => statusOf(await job(scene, "move", over("/place"))),
  },
  {
    name: "a move to another disk",
    ...{ isFar: true, near: tree },
    run: async (scene) => statusOf(await job(scene, "move", treeTo("/disk/place/new"))),
  },
  {
    name: "a move over a file of another disk",
    ...{ isFar: true, near: { "from.bin": body }, far: file },
    run: async (scene) => statusOf(await job(scene, "move", over("/disk/place"))),
  },
  {
    name: "a move to the trash",
    near: tree,
    run: (scene) => status(scene, "DELETE", "/api/resources/place/tree?trash=true"),
  },
  {
    name: "a deletion for good",
    ...{ near: tree, alwaysWorks: true },
    run: (scene) => status(scene, "DELETE", "/api/resources/place/tree?trash=false"),
  },
  {
    name: "a job that deletes for good",
    ...{ near: tree, alwaysWorks: true },
    run: async (scene) => statusOf(await job(scene, "delete", [{ path: "/place/tree" }])),
  },
  {
    name: "a restore",
    near: { sub: null, ...file, "sub/kept.bin": body },
    async prepare(scene) {
      const path = "/api/resources/place/sub/kept.bin?trash=true";
      const answer = await send(scene, "DELETE", path);
      Deno.removeSync(join(scene.root, "place/sub"));
      return answer.headers.get("content-location");
    },
    run: (scene, place) => status(scene, "POST", String(place)),
  },
  ...([
    ["a copy", "copy", pair, over("/place"), false],
    ["a move over a file", "move", pair, over("/place"), false],
    ["a move to another disk", "move", tree, treeTo("/disk/place"), false],
    ["a deletion", "trash", tree, [{ path: "/place/tree" }], false],
  ] as const).map(([name, action, near, entries, isFar]): Operation => ({
    name: `the undo of ${name}`,
    near,
    isFar,
    prepare: async (scene) => (await job(scene, action, [...entries])).id,
    run: (scene, id) => undo(scene, String(id)),
  })),
];

/** Leaves so much of a disk. */
function fill(disk: string, what: "pages" | "inodes", spare: number): void {
  const filler = join(disk, "filler");
  Deno.mkdirSync(filler);
  if (what === "inodes") {
    for (let count = 0; isMade(join(filler, `${count}`)); count++);
    const names = [...Deno.readDirSync(filler)].slice(0, spare);
    for (const { name } of names) Deno.removeSync(join(filler, name));
    return;
  }
  for (let count = 0; isWritten(join(filler, "large"), count); count++);
  const { size } = Deno.statSync(join(filler, "large"));
  Deno.truncateSync(join(filler, "large"), Math.max(0, size - spare * page));
}

function isMade(path: string): boolean {
  try {
    Deno.writeFileSync(path, new Uint8Array());
    return true;
  } catch {
    return false;
  }
}

function isWritten(path: string, count: number): boolean {
  using file = Deno.openSync(path, { create: true, write: true });
  file.seekSync(count * page, Deno.SeekMode.Start);
  try {
    return file.writeSync(new Uint8Array(page).fill(1)) === page;
  } catch {
    return false;
  }
}

for (const what of ["pages", "inodes"] as const) {
  Deno.test(`a disk without ${what} refuses, and nothing is lost, half done or left`, async (t) => {
    await using folder = await temporaryFolder();
    const size = "size=512k,nr_inodes=200";
    await using near = await mountMemory(folder.path, size);
    Deno.mkdirSync(join(near.path, "disk"));
    await using far = await mountMemory(join(near.path, "disk"), size);
    await using app = await startApp({ inProcess: true, config: { root: near.path } });
    const scene = { root: near.path, token: await app.tokenOf("admin"), call: app.call };
    const place = {
      ...{ near: join(near.path, "place"), far: join(far.path, "place") },
      ...{ nearPath: "/place", farPath: "/disk/place", stand: { root: near.path } },
    };
    const see = () => look(place, app.cubby.store);

    /** @param spare null where there is room enough */
    async function attempt(operation: Operation, spare: number | null) {
      for (const path of [place.near, place.far]) Deno.mkdirSync(path);
      plantAt(place.near, operation.near);
      plantAt(place.far, operation.far ?? {});
      const prepared = await operation.prepare?.(scene);
      const full = operation.isFar ? far.path : near.path;
      if (spare !== null) fill(full, what, spare);
      const before = await see();
      const result = await operation.run(scene, prepared);
      const after = await see();
      const told = `${operation.name} with ${spare} ${what} left: ${result}`;
      assert.deepEqual(await trashFaults(near.path, app.cubby.store), [], told);
      assert.deepEqual(await leftovers(near.path, app.cubby.store), [], told);
      if (spare !== null) {
        Deno.removeSync(join(full, "filler"), { recursive: true });
        if (result === 507 && operation.name.startsWith("the undo")) {
          assert.equal(await operation.run(scene, prepared), 200, `${told}, again`);
        }
      }
      for (const path of [place.near, place.far]) Deno.removeSync(path, { recursive: true });
      await send(scene, "DELETE", "/api/trash");
      return { result, before, after, told };
    }

    for (const operation of operations) {
      await t.step(operation.name, async () => {
        const done = await attempt(operation, null);
        assert.ok(done.result >= 200 && done.result < 300, done.told);
        for (let spare = 0;; spare++) {
          assert.ok(spare < maxSpare, `${operation.name} never works`);
          const { result, before, after, told } = await attempt(operation, spare);
          if (result !== 507) {
            assert.equal(result, done.result, told);
            assert.deepEqual(after, done.after, told);
            break;
          }
          assert.ok(!operation.alwaysWorks, told);
          assert.equal(timeless(after), timeless(before), told);
        }
      });
    }
  });
}
