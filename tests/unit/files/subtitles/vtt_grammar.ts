/** WebVTT by the letter of its standard, written for tests: apart from what writes it. */
import assert from "node:assert/strict";

const time = String.raw`\d{2,}:[0-5]\d:[0-5]\d\.\d{3}`;
const number = String.raw`\d+(?:\.\d+)?`;
const setting = [
  "vertical:(?:rl|lr)",
  `line:-?${number}%?(?:,(?:start|center|end))?`,
  `position:${number}%(?:,(?:line-left|center|line-right))?`,
  `size:${number}%`,
  "align:(?:start|center|end|left|right)",
  String.raw`region:\S+`,
].join("|");
const timing = new RegExp(`^(${time}) --> (${time})((?: (?:${setting}))*)$`);
const token =
  /<(\/?)(c|i|b|u|ruby|rt|v|lang)((?:\.[^\s.<>&]+)*)( [^<>&\n]*)?>|<\d{2,}:[0-5]\d:[0-5]\d\.\d{3}>|&(?:[a-z]+|#\d+|#x[0-9a-f]+);|[^<&]/giy;

/** One cue of a document. */
export interface ReadCue {
  start: string;
  end: string;
  settings: string;
  text: string;
}

/** Reads a document that must be valid, down to the tags of its cues, and gives the cues. */
export function readValidVtt(document: string): ReadCue[] {
  const [header, ...blocks] = document.replace(/\n$/, "").split("\n\n");
  assert.equal(header?.trimEnd(), "WEBVTT");
  const cues: ReadCue[] = [];
  let last = "";
  for (const block of blocks) {
    assert(!block.startsWith("\n") && !block.endsWith("\n") && block !== "", "an empty line");
    if (/^(?:STYLE|REGION)\s*\n/.test(block)) {
      assert(cues.length === 0 && !block.includes("-->"), block);
      continue;
    }
    const [line = "", ...text] = block.split("\n");
    const [, start = "", end = "", settings = ""] = timing.exec(line) ?? assert.fail(line);
    assert(asNumber(start) < asNumber(end) && asNumber(last || "0") <= asNumber(start), line);
    last = start;
    assertCueText(text.join("\n"));
    cues.push({ start, end, settings: settings.trim(), text: text.join("\n") });
  }
  return cues;
}

function asNumber(time: string): number {
  return Number(time.replace(/[:.]/g, ""));
}

function assertCueText(text: string): void {
  assert(text !== "" && !text.includes("-->") && !text.includes("\r"), text);
  const open: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text) ?? assert.fail(`no cue text: ${text}`);
    const [, slash, name, , annotation = ""] = match;
    if (name === undefined) continue;
    if (slash === "/") assert.equal(open.pop(), name, text);
    else {
      open.push(name);
      if (name === "v" || name === "lang") assert.notEqual(annotation.trim(), "", text);
    }
  }
  assert.deepEqual(open, [], text);
}
