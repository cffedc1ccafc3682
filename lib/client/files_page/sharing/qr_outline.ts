import { encode } from "uqr";

/** The longest text whose QR code a camera reads from a screen, in characters. */
export const maxCodeLength = 1_000;

/** The dark modules of a QR code as the path of an SVG, and its side in modules. */
export interface QrPath {
  bars: string;
  size: number;
}

/** The QR code (ISO/IEC 18004) of a text. */
export function qrPath(text: string): QrPath {
  const { data, size } = encode(text, { border: 2 });
  const bars = data.flatMap((row, y) => {
    const modules = row.map((isDark) => isDark ? "#" : " ").join("");
    return [...modules.matchAll(/#+/g)].map(({ index, 0: { length } }) =>
      `M${index} ${y}h${length}v1h-${length}z`
    );
  });
  return { bars: bars.join(""), size };
}
