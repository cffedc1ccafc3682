import type { QrPath } from "./qr_outline.ts";

interface QrCodeProps {
  path: QrPath;
  label: string;
}

/** A QR code, dark on light in both themes, as cameras want it. */
export function QrCode({ path: { bars, size }, label }: QrCodeProps) {
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={bars} />
    </svg>
  );
}
