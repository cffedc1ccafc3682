import type { LanguageSupport } from "@codemirror/language";
import type { ChangeSpec, Text } from "@codemirror/state";

const NAMES: Record<string, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "shift_jis": "Shift JIS",
  "gbk": "GBK",
  "big5": "Big5",
  "gb18030": "GB18030",
  "macintosh": "Mac Roman",
  "cp037": "EBCDIC",
};

/** The usual spelling of an encoding's name: "windows-1252" is "Windows-1252". */
export function encodingName(encoding: string): string {
  const [, name = encoding, mark] = /^(.*?)(-bom)?$/.exec(encoding) ?? [];
  const shown = NAMES[name] ??
    name.replace(/^(iso|koi\d.*|euc|ibm|cp)|-(jp|kr)$/g, (word) => word.toUpperCase())
      .replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return mark ? `${shown} BOM` : shown;
}

/** Browsers take many seconds to wrap longer lines. */
const TOO_LONG = 500_000;

/** Whether the lines of a text are short enough to be wrapped. */
export function canWrap(text: Text): boolean {
  if (text.length <= TOO_LONG) return true;
  for (const line of text.iterLines()) {
    if (line.length > TOO_LONG) return false;
  }
  return true;
}

/** The minimal single change between two texts; the common start and end keep their place. */
export function minimalChange(from: Text, to: Text): ChangeSpec {
  const before = from.toString();
  const after = to.toString();
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    from: start,
    to: before.length - end,
    insert: to.slice(start, after.length - end),
  };
}

/** The language of a text, by the name of its file. */
export interface CodeLanguage {
  /** The display name: "TypeScript". */
  name: string;
  /** Loads the editor's support for it. */
  load: () => Promise<LanguageSupport>;
}

/** Finds the language that goes with a file's name; null for plain text. */
export async function languageOf(fileName: string): Promise<CodeLanguage | null> {
  const [{ LanguageDescription }, { languages }] = await Promise.all([
    import("@codemirror/language"),
    import("@codemirror/language-data"),
  ]);
  const found = LanguageDescription.matchFilename(languages, fileName);
  return found && { name: found.name, load: () => found.load() };
}
