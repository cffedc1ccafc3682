import assert from "node:assert/strict";
import { entryOf } from "../../../lib/server/files/listing/entries.ts";
import {
  extensionOf,
  isAmbiguous,
  mediaTypeOf,
  typeOf,
  typeOfBytes,
} from "../../../lib/server/files/content/types.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { at } from "../core/access/visitors.ts";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

for (
  const [type, names] of Object.entries({
    image: "a.jpg A.JPEG a.png a.webp a.svg a.heic a.avif a.gif a.tiff a.NEF",
    audio: "a.mp3 a.flac a.ogg a.opus a.m4a a.wav a.wma",
    video: "a.mp4 a.mkv a.webm a.mov a.avi a.mts a.rmvb a.ogv",
    pdf: "a.pdf A.PDF",
    text:
      "a.txt a.md a.json a.ts a.rs a.html a.csv a.srt a.log a.yaml README Makefile .gitignore .bashrc LICENSE a.ini Dockerfile",
    blob: "a.zip a.exe a.docx a.iso a.sqlite a.unknownext noextension .hidden a.tar.gz a.woff2",
  })
) {
  Deno.test(`by name these are ${type}: ${names}`, () => {
    for (const name of names.split(" ")) assert.equal(typeOf(name, 10), type, name);
  });
}

Deno.test("extensions are lower case with a dot, and a dotfile has none", () => {
  const cases = { "A.JPG": ".jpg", "a.tar.gz": ".gz", ".bashrc": "", "a.": "", a: "", "..b": ".b" };
  for (const [name, extension] of Object.entries(cases)) {
    assert.equal(extensionOf(name), extension, name);
  }
});

Deno.test("text over 10 MiB is a blob", () => {
  assert.equal(typeOf("a.txt", 10 * 1024 * 1024), "text");
  assert.equal(typeOf("a.txt", 10 * 1024 * 1024 + 1), "blob");
  assert.equal(typeOf("a.mp4", 10 * 1024 ** 4), "video");
});

Deno.test("first bytes tell the type where the name does not", () => {
  const cases: [string, Uint8Array][] = [
    ["pdf", bytes("%PDF-1.7\n")],
    ["image", bytes("\x89PNG\r\n\x1a\n....")],
    ["image", bytes("RIFF....WEBPVP8 ")],
    ["audio", bytes("ID3\x04")],
    ["audio", bytes("RIFF....WAVEfmt ")],
    ["video", bytes("\0\0\0\x20ftypisom")],
    ["video", bytes("\x1a\x45\xdf\xa3")],
    ["blob", bytes("PK\x03\x04")],
    ["blob", bytes("\x7fELF\x02\x01")],
    ["blob", bytes("text with a \0 in it")],
    ["blob", bytes("\x01\0\x02\0\x03\0\x04\0")],
    ["text", bytes("latin-1 \xe9 is no UTF-8")],
    ["text", bytes("h\0i\0\n\0")],
    ["text", bytes("\0h\0i\0\n")],
    ["text", bytes("#!/bin/sh\n")],
    ["text", bytes("")],
    ["text", new TextEncoder().encode("日本".repeat(200)).subarray(0, 512)],
    ["text", bytes("\xff\xfeh\0i\0")],
  ];
  for (const [type, start] of cases) {
    assert.equal(typeOfBytes(start), type, JSON.stringify(String.fromCharCode(...start)));
    assert.equal(typeOf("unknown", 10, start), type);
  }
});

Deno.test("a known name is believed, but .ts may be a program or a film", () => {
  assert.equal(typeOf("a.png", 10, bytes("#!/bin/sh")), "image");
  const packets = new Uint8Array(512);
  for (const offset of [0, 188, 376]) packets[offset] = 0x47;
  assert(isAmbiguous("a.ts") && isAmbiguous("a") && !isAmbiguous("a.txt"));
  assert.equal(typeOf("a.ts", 1000, packets), "video");
  assert.equal(typeOf("a.ts", 1000, bytes("export {};\n")), "text");
});

Deno.test("an extension that is a word of the language is an unknown one", () => {
  for (const name of ["a.constructor", "a.__proto__"]) {
    assert.equal(typeOf(name, 10), "blob");
    assert.equal(mediaTypeOf(name), "application/octet-stream");
  }
});

Deno.test("media types: text is UTF-8, what is unknown is bytes", () => {
  assert.equal(mediaTypeOf("a.html"), "text/html; charset=utf-8");
  assert.equal(mediaTypeOf("a.rs"), "text/plain; charset=utf-8");
  assert.equal(mediaTypeOf("a.json"), "application/json; charset=utf-8");
  assert.equal(mediaTypeOf("a.jpg"), "image/jpeg");
  assert.equal(mediaTypeOf("a.unknownext"), "application/octet-stream");
});

Deno.test("a pipe is a blob whatever its name promises, and text is immutable without modify", async () => {
  await using folder = await temporaryFolder();
  const path = `${folder.path}/a.txt`;
  const facts = { name: "a.txt", path: at("/a.txt"), isLink: false, isBroken: false };
  Deno.writeTextFileSync(path, "a", { mode: 0o640 });
  const text = Deno.lstatSync(path);
  assert.equal(entryOf({ ...facts, info: text }, true).type, "text");
  assert.equal(entryOf({ ...facts, info: text }, false).type, "textImmutable");
  assert.equal(entryOf({ ...facts, info: text }, true).mode & 0o7000, 0);
  Deno.removeSync(path);
  await new Deno.Command("mkfifo", { args: [path] }).output();
  assert.equal(entryOf({ ...facts, info: Deno.lstatSync(path) }, true).type, "blob");
});
