import assert from "node:assert/strict";
import { EditorState, Text } from "@codemirror/state";
import {
  encodingName,
  minimalChange,
} from "../../../../../lib/client/screens/editor/text_tools.ts";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { charactersOf, versionOf } from "../../../../../lib/client/screens/editor/text_version.ts";
import { KeptChoice } from "../../../../../lib/client/screens/editor/kept_choice.ts";
import { lineEndingOf } from "../../../../../lib/server/files/text/format.ts";
import { fc } from "../../../../support/run/property.ts";
import { fileNamed } from "../../support.ts";

Deno.test("a description without a text has no version", () => {
  assert.equal(versionOf(fileNamed("a.txt")), null);
});

Deno.test("every text comes back with the line ends that it had", () => {
  const texts = fc.array(fc.constantFrom("a", "\r", "\n", "\r\n", "é", "\u2028"));
  fc.assert(fc.property(texts, (parts) => {
    const content = parts.join("");
    const lineEnding = lineEndingOf(content);
    const version = versionOf({ ...fileNamed("a.txt"), content, lineEnding });
    assert.ok(version);
    assert.equal(charactersOf(version.text, lineEnding), content);
  }));
});

Deno.test("minimalChange() makes one text the other, and leaves the cursor where it was", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "\n"), { maxLength: 20 });
  fc.assert(fc.property(texts, texts, (one, other) => {
    const from = Text.of(one.join("").split("\n"));
    const to = Text.of(other.join("").split("\n"));
    const state = EditorState.create({ doc: from });
    assert.ok(state.update({ changes: minimalChange(from, to) }).newDoc.eq(to));
  }));
  const state = EditorState.create({ doc: "first\nsecond\nthird", selection: { anchor: 15 } });
  const changes = minimalChange(state.doc, Text.of(["first", "2nd", "third"]));
  assert.equal(state.update({ changes }).newSelection.main.head, 12);
});

Deno.test("encodings are written as people write them", () => {
  const names = [
    "utf-8",
    "utf-8-bom",
    "utf-16le-bom",
    "windows-1252",
    "iso-8859-2",
    "koi8-r",
    "euc-jp",
    "iso-2022-jp",
    "ibm866",
    "cp437",
    "macintosh",
    "cp037",
  ];
  assert.deepEqual(names.map(encodingName), [
    "UTF-8",
    "UTF-8 BOM",
    "UTF-16 LE BOM",
    "Windows-1252",
    "ISO-8859-2",
    "KOI8-R",
    "EUC-JP",
    "ISO-2022-JP",
    "IBM866",
    "CP437",
    "Mac Roman",
    "EBCDIC",
  ]);
});

Deno.test("a choice is remembered, and holds for the visit where nothing can be stored", () => {
  const storage = memoryStorage();
  const first = new KeptChoice(storage, "wrap");
  assert.equal(first.now.value, true);
  first.set(false);
  assert.equal(new KeptChoice(storage, "wrap").now.value, false);

  const full = () => {
    throw new DOMException("", "QuotaExceededError");
  };
  const forbidden = new KeptChoice({ ...memoryStorage(), setItem: full }, "wrap");
  forbidden.set(false);
  assert.equal(forbidden.now.value, false);
});
