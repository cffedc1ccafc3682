import assert from "node:assert/strict";
import { toVtt } from "../../../../lib/server/files/subtitles/convert.ts";
import { character, fc } from "../../../support/run/property.ts";
import { readValidVtt } from "./vtt_grammar.ts";

const lines = fc.constantFrom(
  "00:00:01,000 --> 00:00:02,000",
  "0:00:01.5-->0:00:02.25 X1:1 line:0",
  "00:01.000 --> 00:02.000 align:start region:a-->b position:10%",
  "00:00:05,000 --> 00:00:01,000",
  "99:59:59,999 --> 100:00:00,000",
  "00:00:01,000 -> 00:00:02,000\u2028x",
);
const beginnings = fc.constantFrom("", "WEBVTT\n\n", "[Script Info]\n[Events]\n", "\uFEFF");
const pieces = fc.oneof(
  lines.map((line) => `\n${line}\n`),
  fc.string({ unit: character }),
  fc.constantFrom(
    ...[
      "\n",
      "\r\n",
      "\r",
      "\n\n",
      " ",
      "1\n",
      "12",
      "WEBVTT\n\n",
      "NOTE x\n",
      "STYLE\n",
      "REGION",
    ],
    ...["-->", "--&gt;", "<", ">", "<b>", "</b>", "<i", "</i>", "<u>", "<v>", "<v A>", "<v.a.b B>"],
    ...[
      "<c.red>",
      "</c>",
      "<rt>",
      "<ruby>",
      "</ruby>",
      "<lang en>",
      "<00:00:01.000>",
      "<font a=1>",
    ],
    ...["&", "&amp;", "&lt;", "&foo;", "&#60;", "&#x3c;", "{\\an8}", "{\\i1}", "{\\b0}", "{", "}"],
    ...["[Script Info]\n", "[Events]\n", "[V4+ Styles]\n", "[V4 Styles]\n", "PlayResX: 100\n"],
    ...[
      "Format: Layer, Start, End, Text\n",
      "Format: Name, Alignment, Bold, Italic\n",
      "Format:\n",
    ],
    ...["Style: Default,8,-1,1\n", "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a\\Nb\n"],
    ...["Dialogue: 0,0:00:01.00,0:00:02.00,{\\pos(1,2)\\p1}m 0 0{\\p0}<x> --> \n", "\\N", "\\h"],
    ...["Dialogue: ", "0,0:00:00.00,0:00:09.99,", ",", "{\\pos(1e9,-5)}", "{\\a6}", "{\\rDefault}"],
  ),
);

/** Subtitles of some kind, or what could be taken for some. */
const texts = fc.tuple(beginnings, fc.array(pieces, { maxLength: 40, size: "max" }))
  .map(([beginning, pieces]) => beginning + pieces.join(""));

Deno.test("whatever comes in, valid WebVTT comes out", () => {
  let cues = 0;
  fc.assert(
    fc.property(texts, (text) => {
      cues += readValidVtt(toVtt(text)).length;
    }),
    { numRuns: 500 },
  );
  assert(cues > 500, `${cues} cues`);
});

Deno.test("what came out goes in and comes out the same", () => {
  fc.assert(fc.property(texts, (text) => {
    const once = toVtt(text);
    assert.equal(toVtt(once), once);
  }));
});

Deno.test("any line of text is shown as it is, in every kind of subtitles", () => {
  const line = fc.string({ unit: fc.constantFrom(..."aé日 <>&-.,:;!?12'\"()") })
    .map((text) => text.trim()).filter((text) => /[a日]/.test(text) && !/&\w*;|&#/.test(text));
  fc.assert(fc.property(line, (line) => {
    fc.pre(!/<\/?(?:[a-z]|\d)/i.test(line) && !line.includes("->"));
    const kinds = [
      `1\n00:00:01,000 --> 00:00:02,000\n${line}\n`,
      `WEBVTT\n\n00:01.000 --> 00:02.000\n${line}\n`,
      `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,${line}\n`,
    ];
    for (const kind of kinds) {
      const [cue] = readValidVtt(toVtt(kind));
      const shown = cue?.text.replaceAll("&lt;", "<").replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&");
      assert.equal(shown, line);
    }
  }));
});

Deno.test("no text takes longer than its length is worth", () => {
  const time = "00:00:01,000 --> 00:00:02,000";
  const length = 400_000;
  const bombs = [
    `${time}\n${"<".repeat(length)}`,
    `${time}\n${"<b ".repeat(length / 3)}`,
    `${time}\n${"{\\".repeat(length / 2)}`,
    `${time}\n${"&".repeat(length)}`,
    `${time}${" ".repeat(length)}\u2028`,
    `${" ".repeat(length)}->`,
    `00:00:01,000${" ".repeat(length)}->`,
    `WEBVTT\n\n${time}\n${"<v ".repeat(length / 3)}`,
    `WEBVTT\n\n${time}\n${"<c.a".repeat(length / 4)}`,
    `WEBVTT${"\n".repeat(length)}`,
    `WEBVTT\n\n${time} ${"position:".repeat(length / 9)}`,
    `[Events]\nDialogue: ${",".repeat(length)}`,
    `[Events]\nFormat: ${"a,".repeat(length / 2)}`,
    `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,,,,,${"{\\pos(".repeat(length / 6)}`,
    `[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,,,,,${"{\\i1}a".repeat(length / 6)}`,
    `${" ".repeat(length)}[`,
  ];
  for (const bomb of bombs) {
    const start = performance.now();
    assert(toVtt(bomb).startsWith("WEBVTT\n"));
    const took = performance.now() - start;
    assert(took < 5_000, `${took} ms for ${JSON.stringify(bomb.slice(0, 60))}`);
  }
});
