import { decoderOf, isDosPage } from "../../../shared/text_decoder.ts";
import { decodeStrictly } from "./unicode.ts";
import type { Detect } from "./read_text.ts";

/** The code page of old zips by the format's own rule, where nothing tells of another. */
const standard = "cp437";

/** An encoding that short texts may be in. */
interface Candidate {
  /** As `decoderOf()` calls it. */
  name: string;
  /** As the detector calls it. */
  detected: string;
  /** Of Latin letters: what one with an accent is worth between two of its kind, which is rare. */
  crowded?: number;
  /** Of an encoding that few names are in. */
  penalty?: number;
  /** Of an encoding with characters of two bytes: whether a byte begins one. */
  isLead?: (byte: number) => boolean;
  /** How usual such a character is: 2 for the common ones, 1 for signs, below 0 for rare ones. */
  worthOf?: (lead: number, trail: number) => number;
}

/** In the order of preference among those that fit as well. */
const candidates: readonly Candidate[] = [
  { name: "cp437", detected: "cp437", crowded: -0.5 },
  { name: "cp850", detected: "cp850", crowded: -0.5 },
  { name: "windows-1252", detected: "windows-1252", crowded: -0.5 },
  { name: "cp852", detected: "cp852", crowded: 0.3 },
  { name: "windows-1250", detected: "windows-1250", crowded: 0.3 },
  { name: "macintosh", detected: "macroman", crowded: -0.5, penalty: 0.05 },
  { name: "ibm866", detected: "cp866" },
  { name: "windows-1251", detected: "windows-1251" },
  { name: "koi8-r", detected: "koi8-r", penalty: 0.15 },
  { name: "windows-1253", detected: "windows-1253" },
  { name: "cp737", detected: "cp737" },
  { name: "cp1125", detected: "cp1125", penalty: 0.05 },
  { name: "cp857", detected: "cp857", crowded: 0.3 },
  { name: "windows-1254", detected: "windows-1254", crowded: 0.3 },
  { name: "cp775", detected: "cp775", crowded: 0.3, penalty: 0.05 },
  { name: "windows-1257", detected: "windows-1257", crowded: 0.3, penalty: 0.05 },
  { name: "cp862", detected: "cp862" },
  { name: "windows-1255", detected: "windows-1255" },
  { name: "cp720", detected: "cp720" },
  { name: "windows-1256", detected: "windows-1256" },
  { name: "windows-874", detected: "cp874" },
  {
    name: "shift_jis",
    detected: "cp932",
    isLead: (byte) => isHigh(byte) && !isIn(byte, 0xa0, 0xdf),
    worthOf: (lead) =>
      lead === 0x81 ? 1 : isIn(lead, 0x82, 0x83) || isIn(lead, 0x88, 0x98) ? 2 : -0.5,
  },
  {
    name: "euc-jp",
    detected: "euc-jp",
    isLead: isHigh,
    worthOf: (lead, trail) => lead === 0xa4 || lead === 0xa5 ? 2 : worthByRow(0xd4)(lead, trail),
  },
  { name: "euc-kr", detected: "cp949", isLead: isHigh, worthOf: worthByRow(0xc8) },
  { name: "gb18030", detected: "gb18030", isLead: isHigh, worthOf: worthByRow(0xd7) },
  {
    name: "big5",
    detected: "big5",
    isLead: isHigh,
    worthOf: (lead) => isIn(lead, 0xa1, 0xa3) ? 1 : isIn(lead, 0xa4, 0xc6) ? 2 : -1,
  },
];

function isIn(byte: number, first: number, last: number): boolean {
  return byte >= first && byte <= last;
}

function isHigh(byte: number): boolean {
  return isIn(byte, 0x81, 0xfe);
}

/** National standards: signs in their first rows, what is common from row 0xb0 on. */
function worthByRow(last: number) {
  return (lead: number, trail: number) => {
    if (trail < 0xa1) return -1;
    return isIn(lead, 0xa1, 0xa3) ? 1 : isIn(lead, 0xb0, last) ? 2 : -1;
  };
}

/** Most bytes of names that a guess looks at. */
export const maxSampleBytes = 32 * 1024;

/** How much worse than the best an encoding may fit that the detector prefers. */
const closeBy = 0.12;

/**
 * Guesses the encoding of short texts that belong together, such as the names in an archive, and
 * are not in UTF-8. Each encoding in which all of them are valid is judged by what it makes of them:
 * usual characters, whole words of one script, no frames and no controls. Among those that fit about
 * as well, the detector of texts decides.
 *
 * @param samples bytes with others than ASCII among them, up to {@linkcode maxSampleBytes} in all
 * @param detect the detector of `loadDetector()`
 * @param otherwise the encoding when none fits
 * @returns a name for {@link decodeAs}
 */
export function guessEncoding(
  samples: readonly Uint8Array[],
  detect: Detect,
  otherwise = standard,
): string {
  const fits = candidates.flatMap((candidate) => {
    const score = fitOf(candidate, samples);
    return score === null ? [] : [{ ...candidate, score: score - (candidate.penalty ?? 0) }];
  }).sort((a, b) => b.score - a.score);
  const [best] = fits;
  if (!best || best.score <= 0) return otherwise;
  const close = fits.filter(({ score }) => best.score - score <= closeBy);
  const texts = new Set(
    close.map(({ name }) => samples.map((each) => decodeAs(name, each)).join()),
  );
  const [usual = best] = candidates.filter(({ name }) =>
    fits.some((each) => each.name === name && each.score === best.score)
  );
  const isShort = samples.flatMap((each) => [...each]).filter((byte) => byte >= 0x80).length < 8;
  const isEuropean = close.every(({ isLead }) => isLead === undefined);
  if (texts.size === 1 || (isShort && isEuropean && usual.crowded !== undefined)) return usual.name;
  const joined = samples.flatMap((bytes) => [...bytes, 0x0a]);
  const guesses = detect(Uint8Array.from(joined), {
    detectEncodings: close.map(({ detected }) => detected),
    minimumThreshold: 0,
  });
  const named = guesses.map(({ encoding }) => encoding?.toLowerCase().replace(/^ibm/, "cp"));
  return named.map((name) => close.find(({ detected }) => detected === name)?.name)
    .find((name) => name !== undefined) ?? best.name;
}

/** Decodes bytes in an encoding that {@link guessEncoding} names; null when they are invalid in it. */
export function decodeAs(encoding: string, bytes: Uint8Array): string | null {
  if (!isDosPage(encoding)) return decodeStrictly(encoding, bytes);
  const text = decoderOf(encoding).decode(bytes);
  return text.includes("\ufffd") ? null : text;
}

/**
 * How well texts fit an encoding, 1 at best.
 *
 * @returns null where one of them is invalid in it
 */
function fitOf(candidate: Candidate, samples: readonly Uint8Array[]): number | null {
  let [sum, count] = [0, 0];
  for (const bytes of samples) {
    const text = decodeAs(candidate.name, bytes);
    if (text === null) return null;
    const { good, all } = candidate.isLead
      ? pairsIn(candidate, bytes)
      : lettersIn(text, candidate.crowded);
    sum += good;
    count += all;
  }
  return count === 0 ? null : sum / count;
}

/** Judges the characters of two bytes. A lone byte is half-width katakana, which few names have. */
function pairsIn({ isLead, worthOf }: Candidate, bytes: Uint8Array) {
  let [good, all] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    const isPair = isLead?.(byte) === true;
    all += isPair ? 2 : 1;
    good += isPair ? worthOf?.(byte, bytes[++at] ?? 0) ?? 0 : 0.25;
  }
  return { good, all };
}

const letter = /\p{L}/u;
const scripts = ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Thai"]
  .map((name) => new RegExp(`\\p{Script=${name}}`, "u"));
/** Letters of languages that few names are in. */
const rare = /[\u0402\u0403\u0405\u0408-\u040f\u0452\u0453\u0455\u0458-\u045f\u0490\u0491Ÿÿ]/;
const sign = /[\p{P}\u00a0°²³´ªº№€£$©®±×÷]/u;

/** Judges the letters of one byte: those of words in one script and in a usual case are good. */
function lettersIn(text: string, crowded = 1) {
  let [good, all] = [0, 0];
  const scriptOf = (character: string) => scripts.findIndex((script) => script.test(character));
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    if (character < "\u0080") continue;
    all++;
    const beside = [characters[index - 1] ?? "", characters[index + 1] ?? ""].filter((other) =>
      letter.test(other)
    );
    const [before = ""] = letter.test(characters[index - 1] ?? "") ? beside : [];
    if (letter.test(character)) {
      const isMixed = beside.some((other) => scriptOf(other) !== scriptOf(character));
      const isOddCase = before !== before.toUpperCase() && character !== character.toLowerCase();
      const isCrowded = beside.filter((other) => other >= "\u0080").length === 2;
      const worth = rare.test(character) ? 0.3 : isCrowded ? crowded : 1;
      good += isMixed ? -1 : isOddCase ? -0.5 : worth;
    } else if (sign.test(character)) good += beside.length === 2 ? -1 : 0.25;
    else good -= 1;
  }
  return { good, all };
}
