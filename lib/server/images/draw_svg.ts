import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { meterWasm } from "./metered_wasm.ts";
import { NoPreview, tooLarge, unreadable } from "./no_preview.ts";
import type { Pixels } from "./picture.ts";
import { type PreviewSize, shapes } from "./preview.ts";

/**
 * How much a drawing may cost: some two seconds, and 64 MiB. Half a kilobyte of SVG can ask for
 * hours of work and all memory there is; drawings that people make take a hundredth of this.
 */
const allowance = {
  calls: ["resvg_new", "resvg_render"],
  steps: 300_000_000,
  pages: 1024,
};

/** Paints drawings with resvg, which knows of no files and no network. */
export class Drawer {
  #isSpent = false;

  /** Loads resvg; once in a thread. */
  static async open(): Promise<Drawer> {
    const url = new URL(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"));
    await initWasm(meterWasm(await Deno.readFile(url), allowance));
    return new Drawer();
  }

  /** It may have been stopped in the middle of its work and can't be used again. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /**
   * Paints a drawing just large enough.
   *
   * @param text checked SVG
   * @throws NoPreview
   */
  draw(text: string, size: PreviewSize): Pixels {
    try {
      return paint(text, size);
    } catch (error) {
      this.#isSpent = true;
      // What is wrong with a drawing is told by plain errors. A trap is another kind, and so is
      // the failure to tidy up after it, in which it may be wrapped.
      const isPlain = error instanceof Error && error.constructor === Error;
      throw new NoPreview(isPlain ? unreadable : tooLarge);
    }
  }
}

function paint(text: string, size: PreviewSize): Pixels {
  const font = { loadSystemFonts: false };
  using natural = disposable(new Resvg(text, { font }));
  const fitTo = fit(natural.value, size);
  using sized = disposable(new Resvg(text, { font, fitTo }));
  using image = disposable(sized.value.render());
  const { width, height, pixels } = image.value;
  return { kind: "pixels", bytes: withoutPremultiplication(pixels), width, height };
}

/** A thumbnail is cut out of the middle: the shorter side counts. */
function fit({ width, height }: { width: number; height: number }, size: PreviewSize) {
  const longest = Math.max(width, height);
  const { side, isSquare } = shapes[size];
  const wanted = isSquare ? side * longest / Math.min(width, height) : longest;
  const value = Math.ceil(Math.min(wanted, shapes.big.side));
  return { mode: width >= height ? "width" as const : "height" as const, value };
}

/** Memory of WebAssembly is given back by hand. */
function disposable<T extends { free(): void }>(value: T): Disposable & { value: T } {
  return { value, [Symbol.dispose]: () => value.free() };
}

/** Colours come multiplied by their opacity, which is not what other encoders take. */
function withoutPremultiplication(pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const plain = new Uint8Array(pixels);
  for (let at = 0; at < plain.length; at += 4) {
    const opacity = plain[at + 3] ?? 0;
    if (opacity === 0 || opacity === 255) continue;
    for (let part = at; part < at + 3; part++) {
      plain[part] = Math.min(255, Math.round((plain[part] ?? 0) * 255 / opacity));
    }
  }
  return plain;
}
