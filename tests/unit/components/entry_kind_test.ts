import assert from "node:assert/strict";
import type { EntryType } from "../../../lib/shared/schemas/choices/choices.ts";
import { entryKind } from "../../../lib/shared/entry_kind.ts";

function kindOf(type: EntryType, extension = "", isDir = false): string {
  return entryKind({ type, extension, isDir });
}

Deno.test("a broken link is a broken link, whatever its name looks like", () => {
  assert.equal(kindOf("invalid_link", ".jpg"), "link");
  assert.equal(kindOf("invalid_link", "", true), "link");
});

Deno.test("a folder named like an archive is a folder", () => {
  assert.equal(kindOf("listing", ".zip", true), "folder");
});

Deno.test("archives are told from other blobs by their extension", () => {
  assert.equal(kindOf("blob", ".zip"), "archive");
  assert.equal(kindOf("blob", ".gz"), "archive");
  assert.equal(kindOf("blob", ".bin"), "blob");
  assert.equal(kindOf("blob"), "blob");
});

Deno.test("source code is told from prose", () => {
  assert.equal(kindOf("text", ".ts"), "code");
  assert.equal(kindOf("textImmutable", ".sql"), "code");
  assert.equal(kindOf("text", ".md"), "text");
  assert.equal(kindOf("text"), "text");
});

Deno.test("images, sound, films and PDF keep the kind of their type", () => {
  for (const type of ["image", "audio", "video", "pdf"] as const) {
    assert.equal(kindOf(type, ".x"), type);
  }
});

Deno.test("office files, books, disk images and programs are told apart", () => {
  assert.equal(kindOf("blob", ".docx"), "document");
  assert.equal(kindOf("text", ".csv"), "sheet");
  assert.equal(kindOf("blob", ".pptx"), "slides");
  assert.equal(kindOf("blob", ".epub"), "book");
  assert.equal(kindOf("blob", ".iso"), "disk");
  assert.equal(kindOf("blob", ".exe"), "program");
});
