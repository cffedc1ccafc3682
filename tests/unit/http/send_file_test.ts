import assert from "node:assert/strict";
import { sendFile } from "../../../lib/server/http/response/send_file.ts";
import type { OpenContent } from "../../../lib/server/files/content/open_content.ts";

const bytes = crypto.getRandomValues(new Uint8Array(60_000));
const modified = new Date("2024-05-06T07:08:09Z");

/** Serves one file of 60,000 random bytes over a real socket for the length of one test. */
async function served(
  test: (get: (headers?: Record<string, string>, method?: string) => Promise<Response>) => unknown,
  more: Partial<OpenContent> & { inline?: boolean } = {},
): Promise<void> {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, bytes);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (req) => {
    const { inline = false, ...told } = more;
    const info = { size: bytes.length, modified, etag: '"one"', name: "a.bin", ...told };
    const content = { ...info, type: "blob" as const, mediaType: more.mediaType ?? "x/bytes" };
    if (req.method === "HEAD") return await sendFile(req, content, { inline });
    const file = await Deno.open(path);
    return await sendFile(req, { ...content, file }, { inline }).catch((error) =>
      new Response(error.code, { status: 412 })
    );
  });
  try {
    const url = `http://127.0.0.1:${server.addr.port}/`;
    await test((headers = {}, method = "GET") => fetch(url, { headers, method }));
  } finally {
    await server.shutdown();
    await Deno.remove(path);
  }
}

Deno.test("sendFile() refuses a range beyond the end with 416 and the size", async () => {
  await served(async (get) => {
    const answer = await get({ range: "bytes=60000-" });
    assert.equal(answer.status, 416);
    assert.equal(answer.headers.get("content-range"), "bytes */60000");
    assert.match(await answer.text(), /^Cannot send the range/);
  });
});

Deno.test("sendFile() refuses when another state was expected", async () => {
  await served(async (get) => {
    const answer = await get({ "if-match": '"two"' });
    assert.equal(answer.status, 412);
    assert.equal(await answer.text(), "precondition_failed");
  });
});

Deno.test("sendFile() sends the whole file with all that is told about it", async () => {
  await served(async (get) => {
    const answer = await get();
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.bytes(), bytes);
    const { headers } = answer;
    assert.equal(headers.get("content-type"), "x/bytes");
    assert.equal(headers.get("content-length"), "60000");
    assert.equal(headers.get("accept-ranges"), "bytes");
    assert.equal(headers.get("etag"), '"one"');
    assert.equal(headers.get("last-modified"), "Mon, 06 May 2024 07:08:09 GMT");
    assert.match(headers.get("content-disposition") ?? "", /^attachment; filename="a\.bin"/);
    assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none';/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("cache-control") ?? "", /^private/);
  });
});

Deno.test("sendFile() gives HEAD the same headers, whatever range is asked for", async () => {
  await served(async (get) => {
    const answer = await get({ range: "bytes=0-9" }, "HEAD");
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-length"), "60000");
    assert.equal((await answer.bytes()).length, 0);
  });
});

Deno.test("sendFile() sends nothing that the client has already", async () => {
  await served(async (get) => {
    const known: Record<string, string>[] = [{ "if-none-match": '"one"' }, {
      "if-modified-since": modified.toUTCString(),
    }];
    for (const headers of known) {
      const answer = await get(headers);
      assert.equal(answer.status, 304);
      assert.equal(answer.headers.get("etag"), '"one"');
      assert.equal((await answer.bytes()).length, 0);
    }
  });
});

Deno.test("sendFile() seeks to one range, and the server stops at its end", async () => {
  await served(async (get) => {
    for (const [start, end] of [[0, 0], [1, 99], [20_000, 59_998], [59_999, 59_999]] as const) {
      const answer = await get({ range: `bytes=${start}-${end}` });
      assert.equal(answer.status, 206);
      assert.equal(answer.headers.get("content-range"), `bytes ${start}-${end}/60000`);
      assert.equal(answer.headers.get("content-length"), String(end - start + 1));
      assert.deepEqual(await answer.bytes(), bytes.subarray(start, end + 1));
    }
    const suffix = await get({ range: "bytes=-500" });
    assert.deepEqual(await suffix.bytes(), bytes.subarray(59_500));
  });
});

Deno.test("sendFile() sends several ranges as one multipart answer of the length it says", async () => {
  await served(async (get) => {
    const answer = await get({ range: "bytes=10-19,-5,100-40099" });
    assert.equal(answer.status, 206);
    const [, boundary] = /^multipart\/byteranges; boundary=(.+)$/
      .exec(answer.headers.get("content-type") ?? "") ?? [];
    const body = await answer.bytes();
    assert.equal(answer.headers.get("content-length"), String(body.length));

    const latin = new TextDecoder("latin1");
    const expected = [[10, 19], [59_995, 59_999], [100, 40_099]] as const;
    let offset = 0;
    for (const [start, end] of expected) {
      const head = `--${boundary}\r\nContent-Type: x/bytes\r\n` +
        `Content-Range: bytes ${start}-${end}/60000\r\n\r\n`;
      assert.equal(latin.decode(body.subarray(offset, offset + head.length)), head);
      offset += head.length;
      const length = end - start + 1;
      assert.deepEqual(body.subarray(offset, offset + length), bytes.subarray(start, end + 1));
      offset += length + 2;
    }
    assert.equal(latin.decode(body.subarray(offset)), `--${boundary}--\r\n`);
  });
});

Deno.test("sendFile() sends the whole when If-Range names another state", async () => {
  await served(async (get) => {
    const other = await get({ range: "bytes=0-9", "if-range": '"two"' });
    assert.equal(other.status, 200);
    assert.equal((await other.bytes()).length, 60_000);
    const same = await get({ range: "bytes=0-9", "if-range": '"one"' });
    assert.equal(same.status, 206);
    assert.equal((await same.bytes()).length, 10);
  });
});

Deno.test("sendFile() closes the file when nobody reads the parts", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, bytes);
  const file = await Deno.open(path);
  const info = { size: bytes.length, modified, etag: '"one"', name: "a", mediaType: "x/y" };
  const req = new Request("http://cubby.test/", { headers: { range: "bytes=0-1,5-6" } });
  const answer = await sendFile(req, { ...info, type: "blob", file }, { inline: false });
  await answer.body?.cancel();
  assert.throws(() => file.statSync(), Deno.errors.BadResource);
  await Deno.remove(path);
});

Deno.test("sendFile() shows a file inline, text as UTF-8", async () => {
  await served(async (get) => {
    const answer = await get();
    assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(answer.headers.get("content-disposition") ?? "", /^inline; filename="b\.html"/);
    await answer.body?.cancel();
  }, { inline: true, mediaType: "text/html", name: "b.html" });
});
