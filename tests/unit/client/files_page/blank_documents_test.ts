import assert from "node:assert/strict";
import { unzipSync } from "fflate";
import { blankDocument } from "../../../../lib/client/files_page/actions/blank_documents.ts";
import { documentFormats, documentKinds } from "../../../../lib/shared/document_kinds.ts";

const all = documentKinds.flatMap((kind) => documentFormats.map((format) => ({ kind, format })));

const bytesOf = async (
  kind: typeof documentKinds[number],
  format: typeof documentFormats[number],
) => new Uint8Array(await blankDocument(kind, format).arrayBuffer());

Deno.test("new documents are small, and the same each time", async () => {
  for (const { kind, format } of all) {
    const bytes = await bytesOf(kind, format);
    assert.ok(bytes.length < 6_000, `${kind} ${format}: ${bytes.length}`);
    assert.deepEqual(await bytesOf(kind, format), bytes);
    const [first] = Object.keys(unzipSync(bytes));
    assert.equal(first, format === "odf" ? "mimetype" : "[Content_Types].xml");
  }
});
