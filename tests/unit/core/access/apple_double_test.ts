import assert from "node:assert/strict";
import * as fc from "fast-check";
import { isWorthless } from "../../../../lib/server/core/access/apple_double.ts";
import {
  appleDouble,
  blankFork,
  finderInfo,
  infoWith,
  resourceFork,
} from "../../../support/data/apple_double.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const noInfo = { kind: finderInfo, bytes: new Uint8Array(32) };
const noFork = { kind: resourceFork, bytes: new Uint8Array() };
const known = {
  "com.apple.quarantine": "0083;5f;Safari;",
  "com.apple.lastuseddate#PS": "0123456789abcdef",
  "com.apple.metadata:kMDItemWhereFroms": "bplist00 https://files.example",
};

/** A file with some bytes changed. */
function changed(file: Uint8Array<ArrayBuffer>, at: number, bytes: number[]) {
  const copy = file.slice();
  copy.set(bytes, at);
  return copy;
}

const withAttributes = appleDouble([infoWith(known), blankFork]);
const listAt = 50 + 34 + 36;

const ofWorth: Record<string, Uint8Array<ArrayBuffer>> = {
  "a text": bytesOf("my own notes, longer than a header of such a file has"),
  "nothing at all": new Uint8Array(),
  "another first number (AppleSingle)": changed(appleDouble(), 3, [0]),
  "another version": changed(appleDouble(), 5, [3]),
  "a cut header": appleDouble().slice(0, 20),
  "a cut list of parts": appleDouble().slice(0, 40),
  "a cut part": appleDouble().slice(0, -1),
  "bytes behind the parts": new Uint8Array([...appleDouble(), 1]),
  "no parts": appleDouble([]),
  "a part twice at one place": changed(appleDouble(), 42, [0, 0, 0, 50]),
  "a fork with data": appleDouble([noInfo, { kind: resourceFork, bytes: bytesOf("a font") }]),
  "a long fork that only says it is blank": appleDouble([noInfo, {
    kind: resourceFork,
    bytes: new Uint8Array([...blankFork.bytes, ...bytesOf("a font")]),
  }]),
  "a fork of that length with data": changed(appleDouble(), 82 + 8, [0, 0, 0, 1]),
  "a fork of that length with types": changed(appleDouble(), 82 + 284, [0, 0]),
  "a fork of that length with another text": changed(appleDouble(), 82 + 100, [65]),
  "a colour or type of Finder": changed(appleDouble(), 50 + 9, [4]),
  "short Finder info": appleDouble([{ kind: finderInfo, bytes: new Uint8Array(16) }, blankFork]),
  "a part of another kind": appleDouble([noInfo, { kind: 4, bytes: bytesOf("a comment") }]),
  "bytes behind Finder info": appleDouble([
    { kind: finderInfo, bytes: changed(new Uint8Array(64), 60, [1]) },
    blankFork,
  ]),
  "tags": appleDouble([
    infoWith({ ...known, "com.apple.metadata:_kMDItemUserTags": "red" }),
    blankFork,
  ]),
  "a comment": appleDouble([
    infoWith({ "com.apple.metadata:kMDItemFinderComment": "from Anna" }),
    blankFork,
  ]),
  "an unknown attribute": appleDouble([infoWith({ "org.example.notes": "mine" }), blankFork]),
  "an attribute with a longer name": appleDouble([
    infoWith({ "com.apple.quarantine2": "x" }),
    blankFork,
  ]),
  "more attributes than the list holds": changed(withAttributes, 50 + 34 + 35, [4]),
  "many attributes": changed(withAttributes, 50 + 34 + 34, [255, 255]),
  "a value beyond the end": changed(withAttributes, listAt + 4, [0, 1, 0, 0]),
  "a value in the list": changed(withAttributes, listAt, [0, 0, 0, 10]),
  "a name beyond the list": changed(withAttributes, listAt + 10, [255]),
};

for (const [what, file] of Object.entries(ofWorth)) {
  Deno.test(`a file with ${what} is of worth`, () => assert.equal(isWorthless(file), false));
}

const isOfNone: Record<string, Uint8Array<ArrayBuffer>> = {
  "the blank fork": appleDouble(),
  "an empty fork": appleDouble([noInfo, noFork]),
  "no fork": appleDouble([noInfo]),
  "the blank fork first in the list": appleDouble([blankFork, noInfo]),
  "no attributes": appleDouble([infoWith({}), blankFork]),
  "attributes that macOS sets by itself": withAttributes,
  "such attributes and an empty fork": appleDouble([infoWith(known), noFork]),
  "empty room for attributes": appleDouble([
    { kind: finderInfo, bytes: new Uint8Array(3760) },
    blankFork,
  ]),
};

for (const [what, file] of Object.entries(isOfNone)) {
  Deno.test(`a file with ${what} is worthless`, () => assert.equal(isWorthless(file), true));
}

Deno.test("a file of any bytes is of worth, and nothing is read beyond its end", () => {
  const start = appleDouble([noInfo, noFork]).slice(0, 50);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
    assert.equal(isWorthless(new Uint8Array(bytes)), false);
    isWorthless(new Uint8Array([...start, ...bytes]));
  }));
});

Deno.test("whichever byte of attributes' list changes, no error is thrown", () => {
  const at = fc.nat({ max: withAttributes.length - 1 });
  fc.assert(fc.property(at, fc.nat({ max: 255 }), (index, byte) => {
    isWorthless(changed(withAttributes, index, [byte]));
  }));
});
