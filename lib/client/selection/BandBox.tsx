import type { ReadonlySignal } from "@preact/signals";
import type { Box } from "./band.ts";

interface BandBoxProps {
  shown: ReadonlySignal<Box | null>;
}

/** The rectangle that is being drawn to select what it touches. */
export function BandBox({ shown }: BandBoxProps) {
  const box = shown.value;
  if (!box) return null;
  const { start, end, top, bottom } = box;
  const style = {
    transform: `translate(${start}px, ${top}px)`,
    inlineSize: `${end - start}px`,
    blockSize: `${bottom - top}px`,
  };
  return <div className="band" style={style} />;
}
