import { type AssStyle, readStyle } from "./ass_style.ts";
import { type AssScript, readAssText } from "./ass_text.ts";
import type { Cue } from "./vtt.ts";
import { milliseconds } from "./time.ts";

/** Default fields of dialogue in scripts without a format line. */
const usualFields = "layer,start,end,style,name,marginl,marginr,marginv,effect,text".split(",");

/** Whether a text has the sections of an ASS or SSA script. */
export function isAss(text: string): boolean {
  return /^[ \t]*\[(?:script info|events|v4\+? styles)\]/im.test(text.slice(0, 64 * 1024));
}

/**
 * Parses (Advanced) SubStation Alpha. Bold, italics, underlining and the approximate position are
 * kept; fonts, colours, movement, drawings and comments are dropped.
 */
export function parseAss(text: string): Cue[] {
  const script: AssScript = { styles: new Map<string, AssStyle>(), width: 384, height: 288 };
  const cues: Cue[] = [];
  let section = "";
  let fields = usualFields;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const header = /^\s*\[([^\]]*)\]\s*$/.exec(line)?.[1];
    if (header !== undefined) {
      section = header.trim().toLowerCase();
      fields = usualFields;
      continue;
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === "format") fields = value.toLowerCase().split(",").map((field) => field.trim());
    else if (section === "script info") readInfo(script, name, value);
    else if (name === "style" && section.startsWith("v4")) {
      const values = valuesOf(value, fields);
      const styleName = values.get("name")?.toLowerCase() ?? "";
      script.styles.set(styleName, readStyle(values, !section.includes("+")));
    } else if (name === "dialogue" && section === "events") {
      const cue = readDialogue(valuesOf(value, fields), script);
      if (cue) cues.push(cue);
    }
  }
  return cues;
}

function readInfo(script: AssScript, name: string, value: string): void {
  const size = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (size > 0 && name === "playresx") script.width = size;
  if (size > 0 && name === "playresy") script.height = size;
}

function readDialogue(values: Map<string, string>, script: AssScript): Cue | null {
  const start = readTime(values.get("start"));
  const end = readTime(values.get("end"));
  if (start === null || end === null || end <= start) return null;
  const styleName = values.get("style")?.replace(/^\*/, "").toLowerCase() ?? "";
  const { text, settings } = readAssText(
    values.get("text") ?? "",
    script,
    script.styles.get(styleName),
  );
  return text === "" ? null : { start, end, settings, text };
}

/** `1:02:03.45`, in hundredths. */
function readTime(text = ""): number | null {
  const [, ...parts] = /^\s*(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:,](\d{1,3}))?\s*$/.exec(text) ?? [];
  return parts.length === 0 ? null : milliseconds(...parts);
}

/** The values of a line by field name; the last may contain commas. */
function valuesOf(line: string, fields: string[]): Map<string, string> {
  const values = new Map<string, string>();
  let start = 0;
  for (const [index, field] of fields.entries()) {
    const comma = index === fields.length - 1 ? -1 : line.indexOf(",", start);
    const end = comma === -1 ? line.length : comma;
    const value = line.slice(start, end);
    values.set(field, field === "text" ? value : value.trim());
    if (comma === -1) break;
    start = comma + 1;
  }
  return values;
}
