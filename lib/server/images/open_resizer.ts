import type { Resizer } from "./resizer.ts";
import { openSharp } from "./sharp_resizer.ts";

/** Chooses the decoders once: native code where it loads, else JavaScript and WebAssembly. */
export async function openResizer(): Promise<Resizer> {
  const sharp = await openSharp();
  if (sharp) return sharp;
  const { openPortableResizer } = await import("./portable_resizer.ts");
  return openPortableResizer();
}
