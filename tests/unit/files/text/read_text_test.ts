import assert from "node:assert/strict";
import { encoderOf } from "../../../../lib/server/files/text/encode.ts";
import { lineEndingOf, markOf, parseTextFormat } from "../../../../lib/server/files/text/format.ts";
import { type ReadText, readText } from "../../../../lib/server/files/text/read_text.ts";
import { Pauses } from "../../../../lib/server/core/concurrency/pauses.ts";
import { character, fc } from "../../../support/run/property.ts";
import { samples } from "./samples.ts";

function read(bytes: Uint8Array): Promise<ReadText | null> {
  return readText(bytes, new Pauses());
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

Deno.test("what is binary is no text, in whatever it begins", async () => {
  const cases = [
    [0],
    [0x61, 0, 0x62, 0x63],
    [0xef, 0xbb, 0xbf, 0x61, 0],
    [0xff, 0xfe, 0x61, 0, 0, 0],
    [1, 0, 2, 0, 3, 0, 4, 0],
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d],
    [0xe9, 1, 2, 3, 4, 5, 6, 0x0e],
  ];
  for (const bytes of cases) assert.equal(await read(Uint8Array.from(bytes)), null, bytes.join());
});

Deno.test("binary files with the names of texts are no text", async () => {
  const random = Uint8Array.from({ length: 4_000 }, (_, index) => index * index * 7919 >>> 5);
  const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const cases: Record<string, Uint8Array> = {
    random,
    der: ascii(
      "0\x82\x03\x01 0\x82\x02i\x02\x14k\x8f\x0e\x1d issuer here\x06\x03U\x04\x03\x0c\x05name",
    ),
    vobsub: join(ascii("\0\0\x01\xba"), new Uint8Array(2_000)),
    gzip: join(ascii("\x1f\x8b\x08\0"), random.subarray(0, 600)),
    numbers: new Uint8Array(new Float64Array(200).map(Math.sqrt).buffer),
    wide: new Uint8Array(new Int32Array(50).map((_, index) => index).buffer),
    zeros: new Uint8Array(10_000),
  };
  for (const [name, bytes] of Object.entries(cases)) assert.equal(await read(bytes), null, name);
});

Deno.test("a text with NUL characters is a text, which can't be saved", async () => {
  const line = "2026-01-01 12:00:00 INFO served\n";
  const cases: [string, string][] = [
    [`${line}${"\0".repeat(300)}${line}`, "utf-8"],
    [`${"\0".repeat(100_000)}${line}`, "utf-8"],
    [`${line.repeat(50)}\0\n`, "utf-8"],
    ["PATH=/usr/bin:/bin\0HOME=/home/zo\u00eb\0TERM=xterm\0", "utf-8"],
    [`plain text that has one NUL\0 in it, and goes on`, "utf-8"],
    [`${samples.find(([name]) => name === "windows-1251")?.[1]}\0`.repeat(3), "windows-1251"],
    [`${samples.find(([name]) => name === "gb18030")?.[1]}\0`.repeat(3), "gb18030"],
  ];
  for (const [text, encoding] of cases) {
    const found = await read(encoderOf(encoding, "")(text));
    assert.deepEqual([found?.text, found?.format.encoding, found?.isExact], [
      text,
      encoding,
      false,
    ]);
  }
  const wide = await read(join(markOf("utf-16le"), encoderOf("utf-16le", "")(`${line}\0${line}`)));
  assert.deepEqual([wide?.text, wide?.isExact], [`${line}\0${line}`, false]);
});

Deno.test("a few wrong bytes leave UTF-8 what it is", async () => {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const latin1 = (text: string) => encoderOf("windows-1252", "")(text);
  const russian = utf8(
    "Это простой русский текст: мы хотим узнать, в какой кодировке он записан.\n",
  );
  const french = utf8("O\u00f9 est pass\u00e9e la cl\u00e9? Elle \u00e9tait l\u00e0.\n");
  const japanese = utf8("これは普通の日本語の文章です。\n");
  const cases: Record<string, Uint8Array> = {
    "cut in a letter": russian.subarray(0, russian.length - 3),
    "cut in a sign": japanese.subarray(0, japanese.length - 3),
    "cut after ASCII": join(utf8("plain "), utf8("\u20ac").subarray(0, 2)),
    "a line of Latin-1": join(french, latin1("d\u00e9j\u00e0 vu, no\u00ebl\n"), french),
    "one stray byte": join(french, Uint8Array.of(0x80), french),
    "a byte that is never there": join(utf8("caf\u00e9 "), Uint8Array.of(0xff)),
    "CESU-8": join(utf8("an emoji: "), Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)),
    "NUL as Java writes it": join(utf8("a"), Uint8Array.of(0xc0, 0x80), utf8("b")),
    "a lone letter cut": join(japanese, japanese.subarray(1)),
    "an emoji cut": utf8("good morning \u{1f600}").slice(0, -1),
    "a wrong byte in Greek": join(utf8("Αυτό είναι ένα κείμενο "), Uint8Array.of(0xe1), utf8("ά")),
    "a wrong line in a long text": join(
      utf8("plain words\n".repeat(20_000)),
      french,
      latin1("d\u00e9j\u00e0 vu\n"),
    ),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const found = await read(bytes);
    assert.deepEqual([found?.format, found?.isExact], [
      { encoding: "utf-8", hasMark: false },
      false,
    ], name);
    assert.equal(found?.text, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), name);
    assert.ok(found.text.includes("\ufffd"), name);
  }
});

Deno.test("legacy texts of few letters are not taken for broken UTF-8", async () => {
  const latin1 = [
    "Zo\u00eb",
    "d\u00e9j\u00e0",
    "\u00c9T\u00c9",
    "S\u00e3o Jo\u00e3o",
    "Stra\u00dfe f\u00fcr \u00c4rzte",
  ];
  for (const text of latin1) {
    assert.equal((await read(encoderOf("windows-1252", "")(text)))?.text, text);
  }
  for (const [encoding, sample] of samples) {
    const bytes = encoderOf(encoding, "")(sample);
    for (let end = bytes.length; end > 20; end--) {
      const found = await read(bytes.subarray(0, end));
      const isAscii = bytes.subarray(0, end).every((byte) => byte < 0x80);
      assert.equal(found?.format.encoding === "utf-8", isAscii, `${encoding} ${end}`);
    }
  }
});

Deno.test("a wrong byte or a cut leaves a long legacy text what it is", async () => {
  for (const [encoding, sample] of samples) {
    const bytes = encoderOf(encoding, "")(sample.repeat(20));
    const cut = await read(bytes.subarray(0, bytes.length - 3));
    const wrong = await read(join(bytes, Uint8Array.of(0xff, 0x0a), bytes));
    assert.ok(cut?.text.startsWith(sample.repeat(19)), `${encoding} cut`);
    assert.ok(wrong?.text.startsWith(sample.repeat(20)), `${encoding} wrong`);
  }
});

Deno.test("a table with the same few signs in each row is no text of single bytes", async () => {
  const table = `名字,数\r\n${"大家好,1234\r\n".repeat(2_000)}`;
  assert.equal((await read(encoderOf("gb18030", "")(table)))?.text, table);
});

Deno.test("UTF-32 is told with its mark and without, and can't be saved", async () => {
  const text = "Zo\u00eb \u65e5\u672c \u{1f600}\r\nplain\r\n";
  const encode = (text: string, isLittle: boolean) => {
    const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0);
    const view = new DataView(new ArrayBuffer(codes.length * 4));
    codes.forEach((code, index) => view.setUint32(index * 4, code, isLittle));
    return new Uint8Array(view.buffer);
  };
  for (const isLittle of [true, false]) {
    const encoding = isLittle ? "utf-32le" : "utf-32be";
    const bytes = encode(text, isLittle);
    const marked = await read(join(markOf(encoding), bytes));
    assert.deepEqual([marked?.text, marked?.format], [text, { encoding, hasMark: true }]);
    const plain = await read(bytes);
    assert.deepEqual([plain?.text, plain?.format], [text, { encoding, hasMark: false }]);
    assert.deepEqual([plain?.lineEnding, plain?.isExact], ["crlf", false]);
    assert.equal((await read(bytes.subarray(0, -2)))?.text, `${text.slice(0, -1)}\ufffd`);
  }
});

Deno.test("Unicode is told by its mark or by itself, and the mark is not part of the text", async () => {
  const text = "caf\u00e9 \u65e5\u672c \u{1f600}\n";
  for (const encoding of ["utf-8", "utf-16le", "utf-16be"]) {
    const bytes = encoderOf(encoding, "")(text);
    for (const hasMark of [false, true]) {
      const found = await read(hasMark ? join(markOf(encoding), bytes) : bytes);
      assert.deepEqual(found, {
        text,
        format: { encoding, hasMark },
        lineEnding: "lf",
        isExact: true,
      });
    }
  }
  assert.equal((await read(new Uint8Array()))?.format.encoding, "utf-8");
});

Deno.test("UTF-16 without a mark is told in languages without Latin letters as well", async () => {
  for (const sample of ["\u65e5\u672c\u8a9e\r\n\u6587\u5b57\r\n", "\u041f\u0440\u0438 \u0432\n"]) {
    for (const encoding of ["utf-16le", "utf-16be"]) {
      const found = await read(encoderOf(encoding, "")(sample));
      assert.deepEqual([found?.format.encoding, found?.text], [encoding, sample]);
    }
  }
});

for (const [encoding, sample] of samples) {
  Deno.test(`${encoding} is told from what is written in it: ${sample.slice(0, 12)}`, async () => {
    const bytes = encoderOf(encoding, "")(sample);
    const found = await read(bytes);
    assert.equal(found?.text, sample);
    assert.equal(found.isExact, true);
    const { format } = found;
    assert.deepEqual(encoderOf(parseTextFormat(format.encoding).encoding, "")(found.text), bytes);
  });
}

Deno.test("a telling line far down in a long text is found", async () => {
  const [encoding = "", sample = ""] = samples.find(([name]) => name === "windows-1251") ?? [];
  const text = `${"plain words\n".repeat(20_000)}${sample}\n`;
  const found = await read(encoderOf(encoding, "")(text));
  assert.deepEqual([found?.format.encoding, found?.text === text], [encoding, true]);
});

Deno.test("text that would not come back as it was is not exact", async () => {
  const cases = [
    [0xef, 0xbb, 0xbf, 0x61, 0xc3],
    [0xff, 0xfe, 0x61, 0, 0, 0xd8, 0x62, 0],
    [0xff, 0xfe, 0x61, 0, 0x62],
    // One of the codes for a character that has a more usual one.
    [
      ...encoderOf("shift_jis", "")("\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3067\u3059\u3002"),
      0xed,
      0x40,
    ],
  ];
  for (const bytes of cases) assert.equal((await read(Uint8Array.from(bytes)))?.isExact, false);
});

Deno.test("any bytes are read without a fault, and exact text comes back as it was", async () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.uint8Array({ min: 0x20 }),
    fc.string({ unit: character }).map((text) => new TextEncoder().encode(text)),
  );
  await fc.assert(fc.asyncProperty(bytes, async (bytes) => {
    const found = await read(bytes);
    if (!found?.isExact) return;
    const { encoding, hasMark } = found.format;
    const mark = hasMark ? markOf(encoding) : new Uint8Array();
    assert.deepEqual(join(mark, encoderOf(encoding, "")(found.text)), Uint8Array.from(bytes));
  }));
});

Deno.test("line endings are told, and mixed ones as well", () => {
  const cases = { "": "lf", a: "lf", "a\nb\n": "lf", "a\r\nb": "crlf", "a\rb\r": "cr" };
  for (const [text, ending] of Object.entries(cases)) assert.equal(lineEndingOf(text), ending);
  for (const text of ["a\nb\r\n", "a\r\r\n", "\n\r", "a\r\nb\nc"]) {
    assert.equal(lineEndingOf(text), "mixed", JSON.stringify(text));
  }
});

Deno.test("a text of a mainframe is shown, and can't be saved", async () => {
  // Letters of "HELLO WORLD" and digits, in EBCDIC; lines end with NEL or LF.
  const of = (line: string, end: number) => [
    ...Array.from(line, (letter) => {
      const at = "ABCDEFGHI".indexOf(letter);
      const second = "JKLMNOPQR".indexOf(letter);
      const third = "STUVWXYZ".indexOf(letter);
      if (at >= 0) return 0xc1 + at;
      if (second >= 0) return 0xd1 + second;
      if (third >= 0) return 0xe2 + third;
      return letter === " " ? 0x40 : 0xf0 + Number(letter);
    }),
    end,
  ];
  for (const end of [0x15, 0x25]) {
    const bytes = [...of("HELLO WORLD", end), ...of("CUSTOMER 00042 SMITH", end)];
    const found = await read(Uint8Array.from(bytes));
    assert.deepEqual(
      [found?.text, found?.format.encoding, found?.isExact],
      ["HELLO WORLD\nCUSTOMER 00042 SMITH\n", "cp037", false],
    );
  }
});

Deno.test("a text of an old Mac, with its ends of lines, is Mac Roman; others stay what they are", async () => {
  const words = "Café déjà vu — “quoted” naïve über\rSecond line\rDie Größe der Fläche\r";
  for (const encoding of ["macintosh", "windows-1252"]) {
    const found = await read(encoderOf(encoding, "")(words));
    assert.deepEqual([found?.text, found?.format.encoding, found?.isExact], [
      words,
      encoding,
      true,
    ]);
  }
  for (const [encoding, sentence] of samples) {
    const text = sentence.replaceAll("\r\n", "\r").repeat(2);
    const found = await read(encoderOf(encoding, "")(text));
    assert.equal(found?.text, text, encoding);
  }
});

Deno.test("a short text with few characters of Western Europe is read as such", async () => {
  const western = [
    ...["§ 5 BGB", "½ cup sugar", "Price: £5", "10 €", "5 µm", "CAFÉ", "JOSÉ GARCÍA", "É", "à"],
    ...["#EXTINF:3,Ä", "Ä Ö Ü", "temp: 20 °C", "// © 2020", "Müller", "¿Qué?", "Größe", "“hi”"],
  ];
  const others: [string, string[]][] = [
    ["windows-1251", ["Привет", "да", "Имя: Иван", "файл Windows и Linux", "в MБ: 5, всего"]],
    ["koi8-r", ["Привет"]],
    ["windows-1250", ["Łódź", "plik: źródło", "Győr"]],
    ["windows-1253", ["Γειά", "αρχείο"]],
    ["windows-1255", ["שלום", "קובץ"]],
    ["windows-1256", ["مرحبا", "ملف"]],
    ["shift_jis", ["東京", "はい"]],
  ];
  for (const [encoding, texts] of [["windows-1252", western], ...others] as const) {
    for (const text of texts) {
      assert.equal((await read(encoderOf(encoding, "")(`${text}\n`)))?.text, `${text}\n`, encoding);
    }
  }
});
