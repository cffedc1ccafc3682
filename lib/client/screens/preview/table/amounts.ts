/** Longer texts are no numbers. */
const LONGEST = 64;

/** The digits of other scripts by the first of them: Arabic, Persian, Devanagari, full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xff10];

/** Signs and words of currencies before or after an amount; codes of three letters are known. */
const SIGN = String.raw`(?:[A-Z]{1,3})?\p{Sc}|kr\.?|K\u010d|z\u0142|Ft|Fr\.?|S?Fr\.|` +
  String
    .raw`[\u5186\u5143\u5713\uc6d0]|\u043b\u0432\.?|\u0440\u0443\u0431\.?|\u0440\.|din\.?|lei|TL|Rs\.?|[A-Z]{3}`;
const BEFORE = new RegExp(`^(${SIGN})(?=[\\s\\d.,+(\\-])`, "u");
const AFTER = new RegExp(`(?<=[\\s\\d.,)\\-])(${SIGN})$`, "u");

const CODES = new Set(Intl.supportedValuesOf("currency"));

type Separator = "." | ",";

/** What a cell says, with each value that its separators allow. */
interface Amount {
  /** With a decimal point; null where that is no number. */
  point: number | null;
  /** With a decimal comma. */
  comma: number | null;
  hasCurrency: boolean;
}

/** Reads the number that a cell shows; null for other texts. */
export type ReadAmount = (cell: string) => number | null;

/**
 * Makes a reader of the numbers in a column: amounts with a currency, percent, in brackets when
 * negative, with thousands. Whether "1,234" is more than a thousand is told by the other cells.
 */
export function amountReader(cells: Iterable<string>): ReadAmount {
  const decimal = decimalOf(cells);
  return (cell) => {
    const amount = amountIn(cell);
    if (!amount) return null;
    const { point, comma } = amount;
    return decimal === "," ? comma ?? point : point ?? comma;
  };
}

/** The decimal separator of a column. */
function decimalOf(cells: Iterable<string>): Separator {
  let [points, commas, short, long, ofCurrency] = [0, 0, 0, 0, 0];
  let groups: Separator | null = null;
  for (const cell of cells) {
    const amount = amountIn(cell);
    if (!amount) continue;
    const { point, comma, hasCurrency } = amount;
    if (comma === null) points++;
    else if (point === null) commas++;
    else if (point === comma) {
      if (Math.abs(point) < 1000) short++;
      else long++;
    } else {
      // Three digits behind a separator: thousands, or a decimal of the other notation.
      const separator = Math.abs(point) > Math.abs(comma) ? "," : ".";
      groups = groups === null || groups === separator ? separator : null;
      if (hasCurrency) ofCurrency++;
    }
  }
  if (points !== commas) return points > commas ? "." : ",";
  if (groups !== ".") return ".";
  // Amounts have no thousandths, and a column of measures has no whole numbers.
  return ofCurrency > 0 || (short > 0 && long === 0) ? "," : ".";
}

function amountIn(cell: string): Amount | null {
  if (cell.length > LONGEST || !/\p{Nd}/u.test(cell)) return null;
  // "12.–" and "12,-" have no cents; "12 DR" is a debit.
  let rest = plainDigits(cell).trim().replace(/(?<=\d)[.,]-{1,2}(?!\d)/, "");
  let [isNegative, hasSign, hasCurrency] = [false, false, false];
  for (let before = ""; before !== rest;) {
    before = rest;
    if (/\d\s*[CD]r\.?$/i.test(rest)) {
      isNegative = isNegative !== /Dr\.?$/i.test(rest);
      rest = rest.replace(/[CD]r\.?$/i, "");
    } else if (/^\(.*\)$/.test(rest)) {
      rest = rest.slice(1, -1);
      isNegative = !isNegative;
    } else if (!hasSign && /^[-+]|[-+]$/.test(rest)) {
      isNegative = isNegative !== /^-|-$/.test(rest);
      rest = rest.replace(/^[-+]|[-+]$/, "");
      hasSign = true;
    } else if (!hasCurrency) {
      const found = BEFORE.exec(rest)?.[1] ?? AFTER.exec(rest)?.[1];
      if (found !== undefined && !(/^[A-Z]{3}$/.test(found) && !CODES.has(found))) {
        rest = rest.startsWith(found) ? rest.slice(found.length) : rest.slice(0, -found.length);
        hasCurrency = true;
      }
    }
    rest = rest.trim();
  }
  const [, digits = "", exponent = "", per = ""] = /^([\d.,'\s]+)(e[-+]?\d+)?\s*([%\u2030]?)$/i
    .exec(rest) ?? [];
  const core = digits.trim().replace(/(?<=\d)[\s'](?=\d{3}(?!\d))/g, "'");
  const point = valueOf(core, ".", ",");
  const comma = valueOf(core, ",", ".");
  if (point === null && comma === null) return null;
  const scale = Number(`1${exponent}`) / (per === "%" ? 100 : per === "" ? 1 : 1000);
  const signed = isNegative ? -scale : scale;
  const scaled = (value: number | null) => value === null ? null : value * signed;
  return { point: scaled(point), comma: scaled(comma), hasCurrency };
}

/** Digits and signs as in ASCII: "٣٫٥" is 3.5, "−1" is -1, "1’000" is 1'000. */
function plainDigits(text: string): string {
  return text.replace(/[\u2212\u2010-\u2013\uff0d]/g, "-").replace(/[\u2019\u066c\u02bc_]/g, "'")
    .replace(/\u066b/g, ".").replace(/\u066a|\uff05/g, "%").replace(/\p{Nd}/gu, (digit) => {
      const code = digit.charCodeAt(0);
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      return zero === undefined ? digit : String(code - zero);
    });
}

/** The value of digits with one decimal separator, in groups of thousands or lakhs, or in none. */
function valueOf(text: string, decimal: Separator, group: Separator): number | null {
  const [whole = "", part = "", more] = text.split(decimal);
  if (more !== undefined || !/^\d*$/.test(part) || whole + part === "") return null;
  const plain = whole.replaceAll(group, "'");
  const isGrouped = /^[1-9]\d{0,2}('\d{3})+$|^[1-9]\d?('\d{2})*'\d{3}$/.test(plain);
  if (!isGrouped && !/^\d*$/.test(whole)) return null;
  return Number(`${plain.replaceAll("'", "") || "0"}.${part || "0"}`);
}
