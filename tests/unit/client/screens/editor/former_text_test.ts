import assert from "node:assert/strict";
import { readTextPair } from "../../../../../lib/client/screens/editor/text_version.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { fileNamed, speakTo } from "../../support.ts";

const file = parsePath("/notes.txt").path;

/** A server with a text of these facts, and bytes of a previous version. */
function server(now: object, former: Uint8Array<ArrayBuffer> | null) {
  return speakTo(({ path }) => {
    if (path.startsWith("/api/resources")) {
      return Response.json({ ...fileNamed("notes.txt"), ...now });
    }
    if (former !== null) return new Response(former);
    return Response.json({ code: "not_found", message: "It is gone" }, { status: 404 });
  });
}

async function read(now: object, former: Uint8Array<ArrayBuffer> | null) {
  await using spoken = server(now, former);
  return await readTextPair(spoken.api, file, "id-1", new AbortController().signal);
}

Deno.test("a previous version that is gone, and a file that is no text any more, say so", async () => {
  const gone = await read({ content: "now" }, null);
  assert.equal(!gone.ok && gone.code, "not_found");
  const binary = await read({ type: "blob" }, new Uint8Array());
  assert.equal(!binary.ok && binary.code, "not_supported");
  const withheld = await read({}, new Uint8Array());
  assert.equal(!withheld.ok && withheld.code, "not_supported");
});

for (
  const [encoding, bytes] of [
    ["utf-8", [0xc3, 0xa4, 0x0a, 0x62]],
    ["utf-8-bom", [0xef, 0xbb, 0xbf, 0xc3, 0xa4, 0x0a, 0x62]],
    ["windows-1252", [0xe4, 0x0a, 0x62]],
    ["utf-16le-bom", [0xff, 0xfe, 0xe4, 0, 0x0a, 0, 0x62, 0]],
  ] as const
) {
  Deno.test(`a previous version is read in the encoding of the file: ${encoding}`, async () => {
    const pair = await read({ content: "ä\nc", encoding }, new Uint8Array(bytes));
    assert.ok(pair.ok);
    assert.deepEqual([pair.value.former.toJSON(), pair.value.now.toJSON()], [["ä", "b"], [
      "ä",
      "c",
    ]]);
  });
}

for (const [lineEnding, content] of [["lf", "a\nb"], ["crlf", "a\r\nb"], ["mixed", "a\r\nb"]]) {
  Deno.test(`other line ends are no change: ${lineEnding}`, async () => {
    for (const former of ["a\nb", "a\r\nb", "a\rb"]) {
      const pair = await read({ content, lineEnding }, new TextEncoder().encode(former));
      assert.ok(pair.ok && pair.value.former.eq(pair.value.now), former);
    }
  });
}
