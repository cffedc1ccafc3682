/** The anchor of a cue, as on a number pad: 1 is bottom left, 9 top right. */
export type Anchor = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** A point in per cent of the picture, from its upper left corner. */
export interface Point {
  x: number;
  y: number;
}

/** Parses a digit of the number pad. */
export function readAnchor(digit: string): Anchor | null {
  return /^[1-9]$/.test(digit) ? Number(digit) as Anchor : null;
}

/** Bases of the rows in SSA's numbering, and their offsets from the number pad's first row. */
const oldRows = new Map([[0, 0], [4, 6], [8, 3]]);

/** Parses SSA's numbering: 1 to 3 bottom, 5 to 7 top, 9 to 11 middle, from left to right. */
export function readOldAnchor(number: string): Anchor | null {
  if (!/^\d{1,2}$/.test(number)) return null;
  const column = Number(number) % 4;
  const row = oldRows.get(Number(number) - column);
  return column === 0 || row === undefined ? null : (column + row) as Anchor;
}

/** The cue settings for an anchor, and for a point if the cue has one. */
export function settingsOf(anchor: Anchor, point: Point | null = null): string {
  const column = (anchor - 1) % 3;
  const row = Math.floor((anchor - 1) / 3);
  const settings: string[] = [];
  if (point) {
    settings.push(`position:${percent(point.x)}%`);
    settings.push(`line:${percent(point.y)}%${[",end", ",center", ""][row]}`);
  } else if (row > 0) settings.push(row === 2 ? "line:0" : "line:50%,center");
  if (column !== 1) settings.push(column === 0 ? "align:start" : "align:end");
  return settings.join(" ");
}

function percent(value: number): string {
  return String(Math.round(Math.min(100, Math.max(0, value)) * 10) / 10);
}
