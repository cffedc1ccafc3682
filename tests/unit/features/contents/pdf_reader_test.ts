import assert from "node:assert/strict";
import { join } from "node:path";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { SERVER } from "../../../../lib/server/core/access/viewer.ts";
import { pdfReaderOf } from "../../../../lib/server/features/contents/pdf_reader.ts";
import { findPrograms } from "../../../../lib/server/features/previews/media/programs/find_programs.ts";
import { readerLimits } from "../../../../lib/server/features/previews/media/programs/limits.ts";
import { startReaderHost } from "../../../../lib/server/features/previews/media/programs/start_host.ts";
import { parsePath } from "../../../../lib/shared/path.ts";
import { paper } from "../../../support/data/media.ts";
import { ensureMediaPrograms } from "../../../support/disks/media_programs.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";

await ensureMediaPrograms();

/** A PDF of two megabytes whose one page is 300 MB of text. */
async function bomb(): Promise<Uint8Array<ArrayBuffer>> {
  const line = new TextEncoder().encode("BT /F1 1 Tf (bomb) Tj ET\n".repeat(40_000));
  const packed = new CompressionStream("deflate");
  const writer = packed.writable.getWriter();
  const writing = (async () => {
    for (let times = 0; times < 300; times++) await writer.write(line);
    await writer.close();
  })();
  const stream = await new Response(packed.readable).arrayBuffer();
  await writing;
  const [before = "", after = ""] = paper("?").split(/<<\/Length[^]*endstream/);
  const head = `${before}<</Length ${stream.byteLength}/Filter/FlateDecode>>stream\n`;
  return await new Blob([head, stream, "\nendstream", after]).bytes();
}

Deno.test("the text of a PDF file is read; broken ones have none, and bombs are stopped", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder.path, "paper.pdf"), paper("annual report"));
  await Deno.writeTextFile(join(folder.path, "broken.pdf"), paper("annual").slice(0, 200));
  await Deno.writeTextFile(join(folder.path, "none.pdf"), "no PDF at all");
  await Deno.writeFile(join(folder.path, "bomb.pdf"), await bomb());
  const limits = { ...readerLimits, timeMs: 3_000, outputBytes: 100_000 };
  const host = await startReaderHost(findPrograms(), limits);
  assert.ok(host);
  try {
    const signal = new AbortController().signal;
    const access = new Gate({ root: folder.path, reserved: [] }).enter(SERVER);
    const readPdf = pdfReaderOf(host, signal);
    const read = (name: string) =>
      readPdf?.(access.read(parsePath(`/${name}.pdf`).path), 1_000) ?? null;
    assert.match(await read("paper") ?? "", /^annual report\s*$/);
    assert.equal(await read("broken"), null);
    assert.equal(await read("none"), null);
    const begun = performance.now();
    assert.ok((await read("bomb") ?? "").length <= 1_000);
    assert.ok(performance.now() - begun < 15_000);
    assert.match(await read("paper") ?? "", /^annual/);
  } finally {
    await host.stop();
  }
  assert.equal(pdfReaderOf(null, new AbortController().signal), null);
});
