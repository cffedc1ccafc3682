import assert from "node:assert/strict";
import { join } from "node:path";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { encoderOf } from "../../../lib/server/files/text/encode.ts";
import { markOf } from "../../../lib/server/files/text/format.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { samples } from "../../unit/files/text/samples.ts";

const app = await startApp({ tree: { "a.txt": "first\n", folder: {} } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");
const put = (path: string, body: BodyInit, headers?: Record<string, string>) =>
  app.call("PUT", `/api/resources${path}`, { token, body, headers });
const read = (name: string) => Deno.readFileSync(join(app.root, name));
const names = () => [...Deno.readDirSync(app.root)].map(({ name }) => name).sort();

async function described(name: string): Promise<Resource> {
  return await (await app.call("GET", `/api/resources/${name}`, { token })).json();
}

Deno.test("PUT refuses unknown encodings and leaves the file as it was", async () => {
  for (const encoding of ["", "klingon", "utf-7", "iso-2022-jp", "latin1-bom", "utf-32"]) {
    const answer = await put(`/a.txt?encoding=${encoding}`, "x");
    await assertRefused(answer, 400, "invalid_option", encoding);
  }
  assert.equal(new TextDecoder().decode(read("a.txt")), "first\n");
});

Deno.test("PUT refuses text that can't be written and leaves the file as it was", async () => {
  const before = names();
  const message = await assertRefused(
    await put("/a.txt?encoding=windows-1252", `${"long enough ".repeat(9_000)}\u010d`),
    400,
    "invalid_body",
  );
  assert.equal(message, 'Cannot save "/a.txt": "\u010d" can\'t be written as windows-1252');
  const broken = Uint8Array.of(0x61, 0xff);
  await assertRefused(await put("/a.txt?encoding=utf-16le", broken), 400, "invalid_body");
  const longer = { "content-length": "5" };
  await assertRefused(await put("/a.txt?encoding=utf-8", "abc", longer), 400, "invalid_body");
  assert.equal(new TextDecoder().decode(read("a.txt")), "first\n");
  assert.deepEqual(names(), before);
});

Deno.test("PUT with an encoding asks for the same as PUT without one", async () => {
  const { token: weak } = await app.addUser("nora", { perm: { modify: false } });
  const path = "/api/resources/a.txt?encoding=utf-8";
  await assertRefused(await app.call("PUT", path, { token: weak, body: "x" }), 403, "forbidden");
  await assertRefused(await put("/none.txt?encoding=utf-8", "x"), 404, "not_found");
  await assertRefused(await put("/folder?encoding=utf-8", "x"), 409, "is_folder");
  await assertRefused(
    await put("/a.txt?encoding=utf-8", "x", { "if-match": '"other"' }),
    412,
    "precondition_failed",
  );
});

Deno.test("what is read and saved again with its encoding is the same file, byte for byte", async () => {
  const files = samples.map(([encoding, text]) => encoderOf(encoding, "")(text));
  for (const encoding of ["utf-8", "utf-16le", "utf-16be"]) {
    const bytes = encoderOf(encoding, "")("caf\u00e9 \u65e5\u672c\r\n");
    files.push(bytes, Uint8Array.from([...markOf(encoding), ...bytes]));
  }
  for (const bytes of files) {
    Deno.writeFileSync(join(app.root, "kept.txt"), bytes);
    const { content, encoding, type } = await described("kept.txt");
    assert.ok(content !== undefined && encoding !== undefined);
    assert.equal(type, "text", encoding);
    await assertStatus(await put(`/kept.txt?encoding=${encoding}`, content), 200, encoding);
    assert.deepEqual(read("kept.txt"), bytes, encoding);
  }
});

Deno.test("an edit changes what was edited, in the encoding and with the line ends of the file", async () => {
  Deno.writeFileSync(
    join(app.root, "edit.txt"),
    encoderOf("windows-1251", "")("Это простой русский текст.\r\nВторая строка.\r\n"),
  );
  const { content = "", encoding, lineEnding } = await described("edit.txt");
  assert.deepEqual([encoding, lineEnding], ["windows-1251", "crlf"]);
  const edited = content.replace("Вторая", "Последняя");
  await assertStatus(await put(`/edit.txt?encoding=${encoding}`, edited), 200);
  assert.deepEqual(read("edit.txt"), encoderOf("windows-1251", "")(edited));
});

Deno.test("the mark stays when everything is deleted, and PUT without an encoding keeps the bytes", async () => {
  Deno.writeTextFileSync(join(app.root, "mark.txt"), "first\n");
  await assertStatus(await put("/mark.txt?encoding=utf-8-bom", ""), 200);
  assert.deepEqual([...read("mark.txt")], [0xef, 0xbb, 0xbf]);
  assert.equal((await described("mark.txt")).encoding, "utf-8-bom");
  const bytes = Uint8Array.of(0, 0xff, 0x80);
  await assertStatus(await put("/mark.txt", bytes), 200);
  assert.deepEqual(read("mark.txt"), bytes);
});

Deno.test("a long text in an old encoding comes and goes as a short one does", async () => {
  const text = "Это простой русский текст, по которому узнают кодировку.\r\n".repeat(20_000);
  const bytes = encoderOf("koi8-r", "")(text);
  Deno.writeFileSync(join(app.root, "long.txt"), bytes);
  const answer = await app.call("GET", "/api/resources/long.txt", { token });
  const etag = answer.headers.get("etag") ?? "";
  const { content, encoding }: Resource = await answer.json();
  assert.deepEqual([encoding, content === text], ["koi8-r", true]);
  const again = await app.call("GET", "/api/resources/long.txt", {
    token,
    headers: { "if-none-match": etag },
  });
  assert.equal(again.status, 304);
  const saved = await put("/long.txt?encoding=koi8-r", text, { "if-match": etag });
  await assertStatus(saved, 200);
  assert.deepEqual(read("long.txt"), bytes);
});
