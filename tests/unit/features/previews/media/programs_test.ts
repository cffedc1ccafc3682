import assert from "node:assert/strict";
import { disk } from "../../../../../lib/server/core/disk/this_disk.ts";
import {
  findPrograms,
  mayRunPrograms,
} from "../../../../../lib/server/features/previews/media/programs/find_programs.ts";
import { describePrograms } from "../../../../../lib/server/features/previews/media/programs/recipes.ts";
import { readerLimits } from "../../../../../lib/server/features/previews/media/programs/limits.ts";
import { Programs } from "../../../../../lib/server/features/previews/media/programs/programs.ts";
import { makeMedia } from "../../../../support/data/media_files.ts";
import { paper } from "../../../../support/data/media.ts";
import { plant, temporaryFolder } from "../../../../support/disks/files.ts";

const made = await makeMedia();
const config = {
  ...{ root: "/srv", reserved: [], disableMediaPrograms: false },
  ...{ disableThumbnails: false, disablePreviewResize: false },
};
const forever = () => new AbortController().signal;

async function setUp(limits = {}, given = config) {
  const folder = await temporaryFolder();
  await plant(folder.path, { "film.mp4": made.film, "paper.pdf": paper("Hello") });
  const programs = new Programs(given, { ...readerLimits, ...limits });
  const opened = disk.folder(folder.path);
  const [film, pdf] = [opened.file("film.mp4", "read"), opened.file("paper.pdf", "read")];
  return {
    ...{ programs, film, pdf },
    async [Symbol.asyncDispose]() {
      await programs.close();
      for (const each of [film, pdf, opened]) each[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

Deno.test("programs read open files, several at a time", async () => {
  await using at = await setUp();
  assert.ok(at.programs.can("posterLater") && at.programs.can("pdfFacts"));
  const runs = [at.pdf, at.pdf, at.pdf].map((pdf) => at.programs.run("pdfFacts", pdf, forever()));
  for (const { end, output } of await Promise.all(runs)) {
    assert.deepEqual(end, { status: 0 });
    assert.match(new TextDecoder().decode(output), /Pages: +1\n/);
  }
  const poster = await at.programs.run("posterAtStart", at.film, forever());
  assert.deepEqual([...poster.output.subarray(0, 3)], [0xff, 0xd8, 0xff]);
});

Deno.test("a program that takes too long, or prints too much, is killed", async () => {
  await using slow = await setUp({ timeMs: 20 });
  assert.equal(
    (await slow.programs.run("posterAtStart", slow.film, forever())).end.stopped,
    "time",
  );
  await using loud = await setUp({ outputBytes: 100 });
  assert.equal(
    (await loud.programs.run("posterAtStart", loud.film, forever())).end.stopped,
    "output",
  );
});

Deno.test("a program without memory fails, and the next one runs", async () => {
  await using at = await setUp({ memoryBytes: 8 * 2 ** 20 });
  const { end, output } = await at.programs.run("posterAtStart", at.film, forever());
  assert.notEqual(end.status, 0);
  assert.equal(output.length, 0);
});

Deno.test("a program is killed when nobody waits for it any more", async () => {
  await using at = await setUp();
  await at.programs.run("pdfFacts", at.pdf, forever());
  const reason = new Error("The client has left");
  let fault: unknown = null;
  // On a busy machine it may be over before that.
  for (let tries = 0; fault === null && tries < 10; tries++) {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(reason), 30);
    const run = at.programs.run("posterAtStart", at.film, leaving.signal);
    fault = await run.then(() => null, (error) => error).finally(() => clearTimeout(timer));
  }
  assert.equal(fault, reason);
  const next = await at.programs.run("pdfFacts", at.pdf, forever());
  assert.equal(next.end.status, 0, "its place is free");
});

Deno.test("no programs are run where previews are off or the sandbox leaves files of users open", () => {
  assert.equal(mayRunPrograms(config), true);
  assert.equal(mayRunPrograms({ ...config, disableThumbnails: true }), true);
  assert.equal(mayRunPrograms({ ...config, disableMediaPrograms: true }), false);
  assert.equal(
    mayRunPrograms({ ...config, disableThumbnails: true, disablePreviewResize: true }),
    false,
  );
  assert.equal(mayRunPrograms({ ...config, root: "/usr/share/nginx" }), false);
  assert.equal(mayRunPrograms({ ...config, reserved: ["/usr/local/cubby/store.db"] }), false);
  const off = new Programs({ ...config, root: "/usr/share/nginx" });
  assert.equal(off.can("posterLater"), false);
  assert.equal(new Programs({ ...config, launched: true }).can("pdfFacts"), false);
});

Deno.test("the line at the start tells what was found, and why it is not used", () => {
  // LibreOffice is not on every machine.
  const { soffice: _, ...programs } = findPrograms();
  assert.deepEqual(Object.keys(programs), [
    ...["ffmpeg", "ffprobe", "pdftoppm", "pdfinfo", "pdftotext"],
  ]);
  const readerHost = { socket: "/nowhere", programs, refusal: null };
  assert.equal(describePrograms({}), null);
  assert.equal(
    describePrograms({ readerHost }),
    "Media: ffmpeg, ffprobe, pdftoppm, pdfinfo, pdftotext, each run in a sandbox on one file",
  );
  const refused = { ...readerHost, refusal: "the system has no Landlock" };
  assert.match(describePrograms({ readerHost: refused }) ?? "", /not used.*no Landlock$/);
  assert.equal(new Programs({ ...config, readerHost: refused }).can("posterLater"), false);
});
