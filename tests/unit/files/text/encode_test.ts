import assert from "node:assert/strict";
import { encoderOf } from "../../../../lib/server/files/text/encode.ts";
import { character, fc } from "../../../support/run/property.ts";
import { assertDenied } from "../../core/access/visitors.ts";

const singleByte = (
  "ibm866 iso-8859-2 iso-8859-5 iso-8859-7 iso-8859-8 iso-8859-15 koi8-r koi8-u macintosh " +
  "windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 " +
  "windows-1256 windows-1257 windows-1258"
).split(" ");
const multiByte = ["gb18030", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr"];

const decoders = new Map<string, TextDecoder>();

function decode(encoding: string, bytes: Uint8Array): string | null {
  const decoder = decoders.get(encoding) ??
    new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  decoders.set(encoding, decoder);
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

Deno.test("a character that an encoding does not have is refused by name", () => {
  const cases = [["windows-1252", "\u010d"], ["shift_jis", "\u{1f600}"], ["koi8-r", "\u20ac"]];
  for (const [encoding = "", character] of cases) {
    assertDenied(() => encoderOf(encoding, "Cannot save")(`plain ${character}`), "invalid_body");
    assert.throws(() => encoderOf(encoding, "Cannot save")(`${character}`), {
      message: `Cannot save: "${character}" can't be written as ${encoding}`,
    });
  }
});

Deno.test("every byte of the single-byte encodings comes back as it was", () => {
  for (const encoding of singleByte) {
    for (let byte = 0; byte < 0x100; byte++) {
      const text = decode(encoding, Uint8Array.of(byte));
      if (text === null) continue;
      assert.deepEqual([...encoderOf(encoding, "")(text)], [byte], `${encoding} ${byte}`);
    }
  }
});

Deno.test("every character of the multi-byte encodings reads as itself again", () => {
  for (const encoding of multiByte) {
    const encode = encoderOf(encoding, "");
    let exact = 0;
    let all = 0;
    for (let lead = 0x81; lead < 0xff; lead++) {
      for (let trail = 0x40; trail < 0xff; trail++) {
        const text = decode(encoding, Uint8Array.of(lead, trail));
        if (text === null || [...text].length !== 1) continue;
        const bytes = encode(text);
        if (decode(encoding, bytes) !== text) assert.fail(`${encoding} ${text}`);
        all++;
        if (bytes[0] === lead && bytes[1] === trail && bytes.length === 2) exact++;
      }
    }
    assert(exact > 6_000 && exact / all > 0.94, `${encoding}: ${exact} of ${all} are as they were`);
  }
});

Deno.test("the usual code is taken where there are several", () => {
  const cases: [string, string, number[]][] = [
    ["big5", "\u5341", [0xa4, 0x51]],
    ["shift_jis", "\u2252", [0x81, 0xe0]],
    ["shift_jis", "\u2160", [0x87, 0x54]],
    ["shift_jis", "\u7e8a", [0xfa, 0x5c]],
    ["gb18030", "\u20ac", [0xa2, 0xe3]],
    ["gb18030", "\u{1f600}", [0x94, 0x39, 0xfc, 0x36]],
    ["gbk", "\u20ac", [0x80]],
    ["euc-jp", "\uff71", [0x8e, 0xb1]],
  ];
  for (const [encoding, text, bytes] of cases) {
    assert.deepEqual([...encoderOf(encoding, "")(text)], bytes, `${encoding} ${text}`);
  }
});

Deno.test("Unicode takes any text", () => {
  fc.assert(fc.property(fc.string({ unit: character }), (raw) => {
    const text = raw.toWellFormed();
    for (const encoding of ["utf-8", "utf-16le", "utf-16be"]) {
      assert.equal(decode(encoding, encoderOf(encoding, "")(text)), text, encoding);
    }
  }));
});
