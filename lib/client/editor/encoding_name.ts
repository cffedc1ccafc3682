const NAMES: Record<string, string> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "shift_jis": "Shift JIS",
  "gbk": "GBK",
  "big5": "Big5",
  "gb18030": "GB18030",
};

/** An encoding as people write it: "windows-1252" is "Windows-1252". */
export function encodingName(encoding: string): string {
  const [, name = encoding, mark] = /^(.*?)(-bom)?$/.exec(encoding) ?? [];
  const shown = NAMES[name] ?? name.replace(/^(iso|koi\d.*|euc)/, (word) => word.toUpperCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
  return mark ? `${shown} BOM` : shown;
}
