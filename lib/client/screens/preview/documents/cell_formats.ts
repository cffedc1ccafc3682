import { isDateFormat } from "numfmt";

/** How a cell of a workbook is written. */
export interface Format {
  code: string;
  isDate: boolean;
  /** The system's own date, or date and time, which each country writes in its way. */
  ofSystem?: "date" | "stamp";
}

/** Formats that workbooks name by number alone (ECMA-376, 18.8.30). */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);[Red]("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  37: "#,##0_);(#,##0)",
  38: "#,##0_);[Red](#,##0)",
  39: "#,##0.00_);(#,##0.00)",
  40: "#,##0.00_);[Red](#,##0.00)",
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};

/** Numbers of dates and times that each country writes in its way. */
const SYSTEM_DATES = new Set([14, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]);
const SYSTEM_TIMES = new Set([32, 33, 34, 35, 55, 56]);
const SYSTEM_STAMP = 22;

/** The format of a number that workbooks use, with the codes of their own. */
export function formatOf(number: number, codes: ReadonlyMap<number, string>): Format {
  const code = codes.get(number);
  if (code !== undefined) return { code, isDate: isDateFormat(code) };
  if (SYSTEM_DATES.has(number)) return { code: "yyyy-mm-dd", isDate: true, ofSystem: "date" };
  if (SYSTEM_TIMES.has(number)) return { code: "h:mm:ss", isDate: true };
  if (number === SYSTEM_STAMP) {
    return { code: "yyyy-mm-dd h:mm", isDate: true, ofSystem: "stamp" };
  }
  const known = BUILT_IN[number] ?? "General";
  return { code: known, isDate: isDateFormat(known) };
}
