import assert from "node:assert/strict";
import { join } from "node:path";
import { Text } from "@codemirror/state";
import { charactersOf, versionOf } from "../../../lib/client/screens/editor/text_version.ts";
import { LargeText } from "../../../lib/client/screens/preview/large_text.ts";
import { textIn } from "../../../lib/client/screens/preview/table/cells.ts";
import { LargeTable } from "../../../lib/client/screens/preview/table/parse_table.ts";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { markOf } from "../../../lib/server/files/text/format.ts";
import { samples } from "../../unit/files/text/samples.ts";
import { encoded, joined } from "../../support/data/bytes.ts";
import { type ReportScene, reportTests } from "../../support/server/reports.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A line in an encoding, as often as makes a text of over 10 MiB, below lines of plain ASCII. */
function large(encoding: string, line: string): Uint8Array<ArrayBuffer> {
  const once = encoded(encoding, line);
  const head = encoded(encoding, "2026-01-01 12:00:00 INFO started\r\n".repeat(50_000));
  const all = new Uint8Array(11 * 2 ** 20);
  all.set(head);
  let at = head.length;
  for (; at + once.length <= all.length; at += once.length) all.set(once, at);
  return all.subarray(0, at);
}

/** Adds a word to a text as the editor does, saves it, and compares the bytes. */
async function edit(scene: ReportScene, name: string): Promise<void> {
  const before = await scene.bytes(name);
  const version = versionOf(await scene.resource(name));
  assert.ok(version?.isWritable, name);
  const { text, lineEnding, encoding } = version;
  const body = charactersOf(text.append(Text.of(["new"])), lineEnding);
  const saved = await scene.call("PUT", "/api/resources", `${name}?encoding=${encoding}`, { body });
  assert.equal(saved.status, 200, name);
  const word = encoded(encoding.replace("-bom", ""), "new");
  assert.deepEqual(await scene.bytes(name), joined(before, word), name);
}

/** Reads a large text in parts, as the viewer does. */
async function partsOf({ bytes }: ReportScene, { name, size, encoding }: Resource) {
  const content = await bytes(name);
  assert.ok(encoding !== undefined, name);
  return {
    text: new LargeText(size, encoding, (...range) => Promise.resolve(content.subarray(...range))),
    table: new LargeTable(
      size,
      encoding,
      (...range) => Promise.resolve(content.subarray(...range)),
    ),
  };
}

const log = "2026-01-01 12:00:00 INFO request served in 1ms\n";
const russian = "Это простой русский текст.\r\n";
const chinese = "这是一段普通的中文文字，用来检查文件的编码。\r\n";

/** The packets of an MPEG transport stream. */
function recording(packets: number): Uint8Array {
  const stream = new Uint8Array(188 * packets);
  for (let at = 0; at < stream.length; at += 188) stream.set([0x47, 0x1f, 0xff, 0x10], at);
  return stream;
}

/** Text extensions in whose files other programs keep binary content. */
const named = "sub plist crt mod l m cfg conf lock ctl st s d f r v vb lst cue".split(" ");
const der = joined(
  "0\x82\x03\x00" + Array.from({ length: 200 }, (_, code) => String.fromCharCode(code)).join(""),
);

await reportTests([
  {
    id: "R69",
    source: "nextcloud/files_texteditor#69, flyfish file-viewer#195, alist#1791",
    holds: "a text in any encoding is read, and an edit changes nothing else",
    tree: Object.fromEntries([
      ...samples.map(([encoding, text], index) => [`${index}.txt`, encoded(encoding, text)]),
      ["short.txt", encoded("gb18030", "你好，世界")],
    ]),
    async check(scene) {
      for (const [index, [, text]] of samples.entries()) {
        assert.equal((await scene.resource(`${index}.txt`)).content, text);
        await edit(scene, `${index}.txt`);
      }
      assert.equal((await scene.resource("short.txt")).content, "你好，世界");
    },
  },
  {
    id: "R69-older",
    source: "further inputs beside R55 and R69",
    holds: "texts of DOS, of old Macs and of Japanese mail are read, the first ones read-only",
    tree: {
      "german.txt": encoded("cp850", "Für die Prüfung müssen wir größere Flächen räumen.\r\n"),
      "polish.txt": encoded("cp852", "Zażółć gęślą jaźń, i wszystko jest dobrze.\r\n"),
      "art.nfo": encoded("cp437", "█▀▀▀▀▀▀▀▀▀█ The Release\r\n█▄▄▄▄▄▄▄▄▄█ ░▒▓ of 1996\r\n"),
      "mac.txt": encoded("macintosh", "Où est passée la clé? Ça va être très agréable à l'œil.\r"),
      "turkish.txt": encoded(
        "windows-1254",
        "Şu köşe yaz köşesi, şu köşe kış köşesi.\n".repeat(40),
      ),
      "mail.eml": joined("Subject: x\n\n\x1b$B$3$l$OIaDL$NF|K\\8l\x1b(B\n"),
      "old.txt": joined("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", new Uint8Array(900)),
    },
    async check(scene) {
      const found = async (name: string) => {
        const { type, encoding, content } = await scene.resource(name);
        return [type, encoding, content?.slice(0, 22)];
      };
      const [, ...german] = await found("german.txt");
      assert.deepEqual(german, ["cp437", "Für die Prüfung müssen"]);
      assert.deepEqual(await found("polish.txt"), [
        "textImmutable",
        "cp852",
        "Zażółć gęślą jaźń, i w",
      ]);
      assert.deepEqual(await found("art.nfo"), [
        "textImmutable",
        "cp437",
        "█▀▀▀▀▀▀▀▀▀█ The Releas",
      ]);
      assert.deepEqual(await found("mac.txt"), ["text", "macintosh", "Où est passée la clé? "]);
      await edit(scene, "mac.txt");
      assert.deepEqual(await found("turkish.txt"), [
        "text",
        "windows-1254",
        "Şu köşe yaz köşesi, şu",
      ]);
      const [type, encoding] = await found("mail.eml");
      assert.deepEqual([type, encoding], ["textImmutable", "iso-2022-jp"]);
      assert.ok((await scene.resource("mail.eml")).content?.includes("これは普通の日本語"));
      assert.deepEqual(await found("old.txt"), ["blob", undefined, undefined]);
    },
  },
  {
    id: "R70",
    source: "tibagni/LogViewer#9, glogg#25, fluent-bit#9321, filecat#4",
    holds: "a log of over 10 MiB is read in its encoding, as a short one is",
    tree: {
      "gbk.log": large("gb18030", chinese),
      "latin.log": large("windows-1252", "Für die Prüfung müssen wir größere Flächen räumen.\r\n"),
      "wide.log": joined(markOf("utf-16le"), large("utf-16le", russian)),
      "table.csv": large("gb18030", `一,${chinese}`),
      "binary.log": crypto.getRandomValues(new Uint8Array(65_536)),
    },
    async check(scene) {
      // Sparse: nothing but its end.
      await Deno.writeFile(join(scene.folder, "holes.log"), utf8(log), { createNew: true });
      await Deno.truncate(join(scene.folder, "holes.log"), 11 * 2 ** 20);
      await Deno.writeTextFile(join(scene.folder, "holes.log"), log.repeat(3_000), {
        append: true,
      });
      await Deno.truncate(join(scene.folder, "binary.log"), 12 * 2 ** 20);
      const encodings: [string, string, string][] = [
        ["gbk.log", "gb18030", chinese],
        ["latin.log", "windows-1252", "größere Flächen"],
        ["wide.log", "utf-16le-bom", russian],
        ["holes.log", "utf-8", log],
      ];
      for (const [name, encoding, line] of encodings) {
        const resource = await scene.resource(name);
        assert.deepEqual([resource.type, resource.encoding], ["blob", encoding], name);
        assert.equal(resource.content, undefined);
        const { text } = await partsOf(scene, resource);
        await text.showEnd();
        const shown = text.parts.value.join("");
        assert.ok(shown.includes(line) && !shown.includes("\ufffd"), name);
      }
      const { table } = await partsOf(scene, await scene.resource("table.csv"));
      for (let part = 0; part < 4; part++) await table.more();
      assert.ok(table.table.value?.rows.at(-1)?.map(textIn).includes("一"));
      const binary = await scene.resource("binary.log");
      assert.deepEqual([binary.type, binary.encoding], ["blob", undefined]);
    },
  },
  {
    id: "R71",
    source: "Alexey-T/CudaText#6445, GitJournal#926, reuse-tool#598",
    holds: "a wrong byte in UTF-8 is shown as one, and the text can't be saved",
    tree: {
      "byte.txt": joined(utf8("Le texte est accentué, ".repeat(20)), "\xff", utf8("déjà\n")),
      "cut.txt": utf8(russian.repeat(20)).slice(0, -4),
      "line.txt": joined(utf8("Où est passée la clé?\n".repeat(3)), "d\xe9j\xe0 vu\n"),
      "cesu.txt": joined(utf8("smile "), "\xed\xa0\xbd\xed\xb8\x80\n"),
      "emoji.txt": joined(utf8("smile "), utf8("😀").slice(0, 3), utf8("\nok\n")),
    },
    async check(scene) {
      for (const name of ["byte.txt", "cut.txt", "line.txt", "cesu.txt", "emoji.txt"]) {
        const { type, encoding, content } = await scene.resource(name);
        assert.deepEqual([type, encoding], ["textImmutable", "utf-8"], name);
        assert.equal(content, new TextDecoder().decode(await scene.bytes(name)), name);
      }
    },
  },
  {
    id: "R72",
    source: "logrotate#363, #286, rcrs-server#25",
    holds: "a log with NUL characters is a text",
    tree: {
      "nul.log": `${log.repeat(20)}${"\0".repeat(1_700)}${log}`,
      "rotated.log": `${"\0".repeat(200_000)}${log}`,
      "legacy.log": encoded("windows-1251", `${russian.repeat(5)}\0\0\0${russian}`),
    },
    async check(scene) {
      for (const name of ["nul.log", "rotated.log"]) {
        const { type, content } = await scene.resource(name);
        assert.deepEqual([type, content], [
          "textImmutable",
          await Deno.readTextFile(join(scene.folder, name)),
        ]);
      }
      const { encoding, content } = await scene.resource("legacy.log");
      assert.deepEqual([encoding, content], [
        "windows-1251",
        `${russian.repeat(5)}\0\0\0${russian}`,
      ]);
    },
  },
  {
    id: "R73",
    source: "CotEditor#1790, language-property-list#3, sublime_text#4948",
    holds: "a binary file with the name of a text is one of no known type, and is downloaded",
    tree: {
      ...Object.fromEntries(named.map((extension) => [`a.${extension}`, der])),
      "vobsub.sub": joined("\0\0\x01\xba", new Uint8Array(2_000)),
      "binary.plist": joined(
        `bplist00\xd2\x01\x02\x03\x04${"a long text of it ".repeat(20)}\x08\0`,
      ),
      "packed.log": joined(`PK\x03\x04\x14\0\0\0\x08\0${"a long name ".repeat(20)}\xff\xfe`),
    },
    async check(scene) {
      for (const name of ["vobsub.sub", "binary.plist", "packed.log"]) {
        const { type, content } = await scene.resource(name);
        assert.deepEqual([type, content], ["blob", undefined], name);
      }
      for (const extension of named) {
        const { type, content } = await scene.resource(`a.${extension}`);
        assert.deepEqual([type, content], ["blob", undefined], extension);
        assert.deepEqual(await scene.bytes(`a.${extension}`), der);
      }
    },
  },
  {
    id: "R74",
    source: "MPEG-TS beside language-property-list#3",
    holds: "a recording .ts is a video in listings and downloads, and a program .ts a text",
    tree: {
      "film.ts": recording(40),
      "cut.ts": recording(400).subarray(0, 70_000),
      "program.ts": "export {};\n",
      "even.ts": `${"x".repeat(187)}\n`,
      "camera.mod": joined("\0\0\x01\xba", new Uint8Array(70_000)),
      "go.mod": "module example\n",
    },
    async check(scene) {
      const { items = [] } = await scene.resource("");
      assert.deepEqual(Object.fromEntries(items.map(({ name, type }) => [name, type])), {
        "camera.mod": "video",
        "cut.ts": "video",
        "even.ts": "text",
        "film.ts": "video",
        "go.mod": "text",
        "program.ts": "text",
      });
      const typeOf = async (name: string, method = "GET") => {
        const answer = await scene.call(method, "/api/raw", name);
        await answer.body?.cancel();
        return answer.headers.get("content-type");
      };
      assert.equal(await typeOf("film.ts"), "video/mp2t");
      assert.equal(await typeOf("film.ts", "HEAD"), "video/mp2t");
      assert.equal(await typeOf("camera.mod"), "video/mpeg");
      assert.equal(await typeOf("program.ts"), "text/plain; charset=utf-8");
      assert.equal((await scene.resource("film.ts")).type, "video");
    },
  },
  {
    id: "R109",
    source: "nextcloud/files_texteditor#156, filebrowser#3575, #2882",
    holds: "an edit leaves the line ends as they are",
    tree: {
      "crlf.txt": "a\r\nb\r\n",
      "cr.txt": "a\rb\r",
      "mixed.txt": "a\r\nb\nc\rd\n",
      "separators.txt": "a\u2028b\u2029c\n",
      "ctrl-z.txt": "a\r\n\x1a",
      "none.txt": "a",
    },
    async check(scene) {
      for (const name of ["crlf", "cr", "mixed", "separators", "ctrl-z", "none"]) {
        await edit(scene, `${name}.txt`);
      }
    },
  },
  {
    id: "R110",
    source: "nextcloud/text#5394, #835",
    holds: "a text in the encoding of Windows stays in it",
    tree: {
      "ansi.txt": encoded("windows-1252", "Grüße aus Köln\r\n"),
      "japanese.txt": encoded(
        "shift_jis",
        "これは普通の日本語の文章です。ファイルの文字コード。\r\n",
      ),
    },
    async check(scene) {
      await edit(scene, "ansi.txt");
      await edit(scene, "japanese.txt");
    },
  },
  {
    id: "R111",
    source: "linuxmint/xed#459, MyBox#1425",
    holds: "UTF-16 and byte order marks are kept",
    tree: Object.fromEntries(
      ["utf-8", "utf-16le", "utf-16be"].flatMap((encoding) => {
        const text = encoded(encoding, "Zoë 日本\r\n");
        return [
          [`${encoding}-mark.txt`, joined(markOf(encoding), text)],
          [`${encoding}.txt`, text],
        ];
      }),
    ),
    async check(scene) {
      for (const encoding of ["utf-8", "utf-16le", "utf-16be"]) {
        await edit(scene, `${encoding}-mark.txt`);
        await edit(scene, `${encoding}.txt`);
      }
    },
  },
  {
    id: "R112",
    source: "jcrodriguez-dis/moodle-mod_vpl#232",
    holds: "what is binary, or has NUL characters, can't be saved as a text",
    tree: {
      "random.txt": crypto.getRandomValues(new Uint8Array(4_096)),
      "picture.txt": joined("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", new Uint8Array(99)),
      "nul.txt": `${log}\0${log}`,
      "wide.txt": joined("\xff\xfe\0\0Z\0\0\0\xeb\0\0\0"),
    },
    async check(scene) {
      for (const name of ["random.txt", "picture.txt"]) {
        assert.equal((await scene.resource(name)).type, "blob", name);
      }
      const nul = versionOf(await scene.resource("nul.txt"));
      assert.equal(nul?.isWritable, false);
      const wide = await scene.resource("wide.txt");
      assert.deepEqual([wide.content, wide.encoding, wide.type], [
        "Zë",
        "utf-32le-bom",
        "textImmutable",
      ]);
    },
  },
  {
    id: "R113",
    source: "nextcloud/files_texteditor#766",
    holds: "valid UTF-8 is UTF-8, however short",
    tree: Object.fromEntries(
      ["é", "ß", "я", "中", "😀", "naïve", "\u00a0", "½"].map((
        text,
        index,
      ) => [`${index}.txt`, text]),
    ),
    async check(scene) {
      for (const [index, text] of ["é", "ß", "я", "中", "😀", "naïve", "\u00a0", "½"].entries()) {
        const { content, encoding, type } = await scene.resource(`${index}.txt`);
        assert.deepEqual([content, encoding, type], [text, "utf-8", "text"]);
      }
    },
  },
]);
