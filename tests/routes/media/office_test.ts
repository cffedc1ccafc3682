import assert from "node:assert/strict";
import { join } from "node:path";
import {
  jsonOf,
  readFrames,
  sendFrame,
  sendJson,
} from "../../../lib/server/features/commands/frames.ts";
import type { ProgramEnd } from "../../../lib/server/features/commands/protocol.ts";
import type { ReadRequest } from "../../../lib/server/features/previews/media/programs/protocol.ts";
import { SERVER } from "../../../lib/server/core/access/viewer.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { filesBelow, plant, temporaryFolder } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const pdf = "%PDF-1.7\nslides\n%%EOF";
const folder = await temporaryFolder();
const socket = join(folder.path, "media.sock");

/** What the host of programs was asked for, and how it answers: with an end, or never. */
const runs: ReadRequest[] = [];
type Reply = { output: string; end: ProgramEnd };
const made: Reply = { output: pdf, end: { status: 0 } };
const replies: { next: Reply | "never" } = { next: made };
let hungUp = Promise.withResolvers<void>();

/** A host in place of the one that runs LibreOffice: the same messages, and no program. */
const listener = Deno.listen({ transport: "unix", path: socket });
const serving = (async () => {
  for await (const connection of listener) {
    const frames = readFrames(connection);
    const { value: frame } = await frames.next();
    if (frame) runs.push(jsonOf<ReadRequest>(frame));
    const { next } = replies;
    if (next !== "never") {
      await sendFrame(connection, "output", new TextEncoder().encode(next.output));
      await sendJson(connection, "end", next.end);
      await connection.closeWrite();
    }
    await frames.next().catch(() => {});
    if (next === "never") hungUp.resolve();
    connection.close();
  }
})();

const readerHost = { socket, programs: { soffice: "/usr/bin/soffice" }, refusal: null };
const app = await startApp({
  inProcess: true,
  config: { readerHost },
  tree: {
    "talk.pptx": "slides",
    "broken.odt": "broken",
    "endless.odp": "endless",
    "left.doc": "left",
    "empty.ods": "",
    "letter.docx": "a letter",
    "notes.txt": "a text",
    "--o'd \"d$(x).odt": "odd",
    "folder.odp": {},
  },
});
const plain = await startApp({
  inProcess: true,
  config: { disableMediaPrograms: true },
  tree: { "talk.pptx": "slides" },
});
Deno.test.afterAll(async () => {
  await app.close();
  await plain.close();
  listener.close();
  await serving;
  await folder[Symbol.asyncDispose]();
});
const token = await app.tokenOf("admin");
const get = (path: string, headers?: Record<string, string>) =>
  app.call("GET", `/api/preview/pdf/${encodeURIComponent(path)}`, { token, headers });

Deno.test("a PDF of a document is refused to those who may not read it", async () => {
  runs.length = 0;
  await assertRefused(await app.call("GET", "/api/preview/pdf/talk.pptx"), 401, "not_signed_in");
  const { token: weak } = await app.addUser("quin", { perm: { download: false } });
  const answer = await app.call("GET", "/api/preview/pdf/talk.pptx", { token: weak });
  await assertRefused(answer, 403, "forbidden");
  const ruled = await app.addUser("ruth", {
    rules: [{ regex: false, allow: false, path: "/talk.pptx", regexp: { raw: "" } }],
  });
  const hidden = await app.call("GET", "/api/preview/pdf/talk.pptx", { token: ruled.token });
  await hidden.body?.cancel();
  assert.ok(hidden.status === 403 || hidden.status === 404);
  await assertRefused(await get("none.odt"), 404, "not_found");
  assert.deepEqual(runs, []);
});

Deno.test("a PDF is made of Office documents alone, not of empty or huge ones", async () => {
  runs.length = 0;
  using huge = await Deno.open(join(app.root, "huge.odp"), { create: true, write: true });
  await huge.truncate(300 * 2 ** 20);
  for (
    const name of ["notes.txt", "letter.docx", "empty.ods", "huge.odp", "folder.odp"]
  ) {
    await assertRefused(await get(name), 501, "not_supported", name);
  }
  assert.deepEqual(runs, []);
});

Deno.test("without LibreOffice a document has no PDF", async () => {
  const user = await plain.tokenOf("admin");
  const answer = await plain.call("GET", "/api/preview/pdf/talk.pptx", { token: user });
  const message = await assertRefused(answer, 501, "not_supported");
  assert.match(message, /LibreOffice/);
});

Deno.test("a PDF is made once for a state of a document, and sent inline", async () => {
  runs.length = 0;
  await plant(app.root, { "once.pptx": "slides" });
  const answers = await Promise.all([get("once.pptx"), get("once.pptx")]);
  for (const answer of answers) assert.equal(await answer.text(), pdf);
  const [first] = answers;
  assert.equal(first?.headers.get("content-type"), "application/pdf");
  assert.match(first?.headers.get("content-disposition") ?? "", /^inline; filename="once.pdf"/);
  assert.match(first?.headers.get("content-security-policy") ?? "", /^sandbox/);
  const etag = first?.headers.get("etag") ?? "";
  await assertStatus(await get("once.pptx", { "if-none-match": etag }), 304);
  assert.equal(runs.length, 1);
  assert.equal(runs[0]?.extension, ".pptx");

  await plant(app.root, { "once.pptx": "other slides" });
  await assertStatus(await get("once.pptx"), 200);
  assert.equal(runs.length, 2, "another state gives another PDF");
});

Deno.test("processes share the PDFs in the cache, which has a bound and nothing half written", async () => {
  runs.length = 0;
  await using place = await temporaryFolder();
  const [root, cacheDir] = ["root", "cache"].map((name) => join(place.path, name)) as [
    string,
    string,
  ];
  const cached = join(cacheDir, "papers");
  Deno.mkdirSync(cached, { recursive: true });
  await plant(cached, { "00": { "used long ago": "", "left by a crash.part": "" } });
  Deno.truncateSync(join(cached, "00/used long ago"), 2 ** 30);
  for (const name of filesBelow(cached)) Deno.utimeSync(join(cached, name), 1, 1);
  const options = { inProcess: true, config: { readerHost, root, cacheDir } };
  await using one = await startApp({ ...options, tree: { "kept.odp": "slides" } });
  await using other = await startApp(options);
  const pdfFrom = async (from: typeof app) => {
    const [path, token] = ["/api/preview/pdf/kept.odp", await from.tokenOf("admin")];
    return await (await from.call("GET", path, { token })).text();
  };
  assert.deepEqual([await pdfFrom(one), await pdfFrom(other)], [pdf, pdf]);
  assert.equal(runs.length, 1);
  const kept = filesBelow(cached);
  assert.deepEqual(kept.map((name) => Deno.readTextFileSync(join(cached, name))), [pdf]);

  Deno.writeTextFileSync(join(cached, kept[0] ?? ""), "damaged");
  assert.deepEqual([await pdfFrom(one), await pdfFrom(other)], [pdf, pdf]);
  assert.equal(runs.length, 2);
});

Deno.test("an odd name reaches no command line", async () => {
  runs.length = 0;
  await assertStatus(await get("--o'd \"d$(x).odt"), 200);
  assert.deepEqual(Object.keys(runs[0] ?? {}).sort(), ["descriptor", "extension", "recipe"]);
  assert.equal(runs[0]?.extension, ".odt");
});

Deno.test("a document that LibreOffice cannot convert is not tried again", async () => {
  runs.length = 0;
  replies.next = { output: "", end: { status: 1 } };
  await assertRefused(await get("broken.odt"), 501, "not_supported");
  await assertRefused(await get("broken.odt"), 501, "not_supported");
  replies.next = { output: "", end: { status: 137, stopped: "time" } };
  const message = await assertRefused(await get("endless.odp"), 501, "not_supported");
  assert.match(message, /time or memory/);
  const quiet = await app.call("GET", "/api/preview/pdf/broken.odt?optional=true", { token });
  await assertStatus(quiet, 204);
  assert.equal(runs.length, 2);
  replies.next = made;
});

Deno.test("a conversion ends when nobody waits for it any more", async () => {
  hungUp = Promise.withResolvers();
  replies.next = "never";
  runs.length = 0;
  const leaving = new AbortController();
  const { papers, gate } = app.cubby;
  const source = papers.source(gate.enter(SERVER), parsePath("/left.doc").path);
  const fault = papers.make(source, "1", leaving.signal).then(() => null, (error) => error);
  while (runs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  leaving.abort();
  await hungUp.promise;
  assert.equal((await fault)?.name, "AbortError");
  replies.next = made;
});

Deno.test("visitors get the PDF where the share lets them read files, and do not go round its limits", async () => {
  const share = async (json: object) => {
    const answer = await app.call("POST", "/api/share/talk.pptx", { token, json });
    return (await answer.json()).hash as string;
  };
  const visit = (hash: string) => app.call("GET", `/api/public/preview/pdf/${hash}`);
  const open = await visit(await share({}));
  assert.equal(await open.text(), pdf);
  await assertRefused(await visit(await share({ downloadLimit: 1 })), 403, "forbidden");
  await assertRefused(await visit(await share({ viewOnly: true })), 403, "forbidden");
  await assertRefused(await visit("none"), 404, "not_found");
});
