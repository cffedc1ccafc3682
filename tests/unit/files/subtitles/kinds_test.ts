import assert from "node:assert/strict";
import { toVtt } from "../../../../lib/server/files/subtitles/convert.ts";
import { readValidVtt } from "./vtt_grammar.ts";

const time = "00:00:01,000 --> 00:00:02,500";

const cuesOf = (text: string) => readValidVtt(toVtt(text));
const textsOf = (text: string) => cuesOf(text).map(({ text }) => text);
const srt = (text: string) => textsOf(`1\n${time}\n${text}\n`)[0];

/** A script of ASS with one line of dialogue. */
function ass(text: string, options: { style?: string; section?: string } = {}): string {
  const { style = "Default", section = "V4+ Styles" } = options;
  return `[Script Info]\nPlayResX: 200\nPlayResY: 100\n
[${section}]\nFormat: Name, Bold, Italic, Underline, Alignment
Style: Default,0,0,0,2\nStyle: Top,-1,0,0,${section === "V4 Styles" ? 6 : 8}\n
[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.50,${style},,0,0,0,,${text}\n`;
}

Deno.test("what is no subtitle leaves an empty one", () => {
  const none = [
    "",
    "just text",
    "<html>",
    "WEBVTT",
    "WEBVTT\n\nSTYLE\n",
    "[Events]",
    "1\n00:00\nx",
  ];
  for (const text of none) {
    assert.equal(toVtt(text), "WEBVTT\n", text);
  }
});

Deno.test("cues without time or text are left out", () => {
  assert.deepEqual(textsOf("1\n00:00:02,000 --> 00:00:01,000\nback\n\n2\n" + time + "\n\n"), []);
  assert.deepEqual(textsOf(ass("{\\p1}m 0 0 l 9 9{\\p0}")), []);
});

Deno.test("an arrow or a tag in the text begins nothing", () => {
  assert.equal(srt("a --> b"), "a --&gt; b");
  assert.equal(srt("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
  assert.equal(srt("I <3 you & me"), "I &lt;3 you &amp; me");
  assert.equal(srt("&amp; &lt; &nbsp; &unknown;"), "&amp; &lt; &nbsp; &amp;unknown;");
  assert.deepEqual(textsOf(ass("00:01.000 --> 00:02.000\\N\\N<v X>")), [
    "00:01.000 --&gt; 00:02.000\n&lt;v X&gt;",
  ]);
});

Deno.test("SubRip: times, numbers and lines", () => {
  const text = `1\r\n${time}\r\nfirst\r\nsecond\r\n\r\n2\r\n00:01:02,003 --> 01:02:03,456\r\nx\r\n`;
  assert.deepEqual(cuesOf(text), [
    { start: "00:00:01.000", end: "00:00:02.500", settings: "", text: "first\nsecond" },
    { start: "00:01:02.003", end: "01:02:03.456", settings: "", text: "x" },
  ]);
});

Deno.test("SubRip as it is met: no numbers, no empty lines, dots, coordinates, empty lines in text", () => {
  const text =
    `${time}\na\n00:00:03.5 --> 00:00:04,25  X1:10 X2:20\nb\n\nc\n7\n0:0:05 -> 0:0:06\n42`;
  assert.deepEqual(cuesOf(text).map(({ start, end, text }) => [start, end, text]), [
    ["00:00:01.000", "00:00:02.500", "a"],
    ["00:00:03.500", "00:00:04.250", "b\nc"],
    ["00:00:05.000", "00:00:06.000", "42"],
  ]);
});

Deno.test("SubRip: bold, italics, underlining and the place are kept, colours go", () => {
  assert.equal(srt("<i>a</i> <B>b</B> <u>c</u>"), "<i>a</i> <b>b</b> <u>c</u>");
  assert.equal(srt('<font color="red">a</font> <i><b>b</i></b>'), "a <b><i>b</i></b>");
  assert.equal(srt("<i>one\ntwo</i>\nthree"), "<i>one</i>\n<i>two</i>\nthree");
  assert.equal(srt("{\\i1}a{\\i0} b<br>c"), "<i>a</i> b\nc");
  assert.equal(srt("</i>a<i>b"), "a<i>b</i>");
  const [cue] = cuesOf(`1\n${time}\n{\\an7}top\n`);
  assert.deepEqual([cue?.settings, cue?.text], ["line:0 align:start", "top"]);
});

Deno.test("cues come in the order of time", () => {
  const text = `00:00:09,000 --> 00:00:10,000\nlater\n\n${time}\nsooner\n`;
  assert.deepEqual(textsOf(text), ["sooner", "later"]);
});

Deno.test("ASS: styles, breaks and overrides", () => {
  assert.deepEqual(textsOf(ass("a, b\\Nc\\hd{comment}")), ["a, b\nc\u00a0d"]);
  assert.deepEqual(textsOf(ass("{\\i1}a{\\i0}b{\\b1}c{\\b0}{\\u1}d")), [
    "<i>a</i>b<b>c</b><u>d</u>",
  ]);
  assert.deepEqual(textsOf(ass("a{\\b0}b{\\b}c{\\r}d", { style: "Top" })), [
    "<b>a</b>b<b>c</b><b>d</b>",
  ]);
  assert.deepEqual(textsOf(ass("a{\\rTop}b{\\r}c")), ["a<b>b</b>c"]);
  assert.deepEqual(textsOf(ass("{\\fnArial\\c&HFF&\\fad(1,2)\\k20}a{\\b400}b{\\b700}c")), [
    "ab<b>c</b>",
  ]);
});

Deno.test("ASS: the place, roughly", () => {
  const settings = (text: string, options = {}) => cuesOf(ass(text, options))[0]?.settings;
  assert.equal(settings("a"), "");
  assert.equal(settings("a", { style: "Top" }), "line:0");
  assert.equal(settings("a", { style: "Top", section: "V4 Styles" }), "line:0");
  assert.equal(settings("{\\an5}a"), "line:50%,center");
  assert.equal(settings("{\\an9}a{\\an1}"), "line:0 align:end");
  assert.equal(settings("{\\a5}a"), "line:0 align:start");
  assert.equal(settings("{\\pos(50,80)}a"), "position:25% line:80%,end");
  assert.equal(settings("{\\an7\\move(50,25,0,0)}a"), "position:25% line:25% align:start");
  assert.equal(settings("{\\pos(-9999,9999)}a"), "position:0% line:100%,end");
});

Deno.test("WebVTT: what is valid stays, comments and names go", () => {
  const text =
    `WEBVTT - title\nKind: captions\n\nSTYLE\n::cue(b) { color: red }\n\nNOTE hidden\n\nname
00:01.000 --> 00:02.000 line:0 align:middle size:200 nonsense\n<v.loud Ann>Hi <c.red>you</c></v>\n\n
01:00:00.000 --> 01:00:01.000\n<b>open <x> & <rt>\n`;
  const vtt = toVtt(text);
  assert(vtt.includes("STYLE\n::cue(b) { color: red }\n") && !vtt.includes("hidden"));
  assert.deepEqual(readValidVtt(vtt), [
    {
      start: "00:00:01.000",
      end: "00:00:02.000",
      settings: "line:0 align:center",
      text: "<v.loud Ann>Hi <c.red>you</c></v>",
    },
    {
      start: "01:00:00.000",
      end: "01:00:01.000",
      settings: "",
      text: "<b>open &lt;x&gt; &amp; </b>",
    },
  ]);
});

Deno.test("the kind is told by the text, whatever the name", () => {
  assert.deepEqual(textsOf(`WEBVTT\n\n00:01.000 --> 00:02.000\na`), ["a"]);
  assert.deepEqual(textsOf(ass("a")), ["a"]);
  assert.deepEqual(textsOf(`WEBVTTX\n\n${time}\na`), ["a"]);
});
