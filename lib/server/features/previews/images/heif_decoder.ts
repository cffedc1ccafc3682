import { NoPreview, tooLarge, unreadable } from "./no_preview.ts";
import type { Pixels } from "./picture.ts";

/** Largest picture of a phone's HEIC that is decoded, in pixels: the decoder holds it three times. */
const maxPixels = 60_000_000;

/** The parts of libheif-js that are used; the package has no types for them. */
interface Heif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
}

interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  display(
    target: { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number },
    done: (filled: unknown) => void,
  ): void;
  free(): void;
}

let opening: Promise<Heif> | null = null;

/**
 * Decodes the main picture of an HEIC file, upright, in WebAssembly: a flaw in the decoder cannot
 * leave its own memory, and no system needs a program for it.
 *
 * @throws NoPreview
 */
export async function decodeHeif(bytes: Uint8Array): Promise<Pixels> {
  const { HeifDecoder } = await (opening ??= openHeif());
  // It prints what it complains of, and this is the log of the server.
  const { log } = console;
  console.log = () => {};
  let images: HeifImage[] = [];
  try {
    images = new HeifDecoder().decode(bytes);
    const image = images.find((image) => image.is_primary()) ?? images[0];
    if (!image) throw new NoPreview(unreadable);
    const [width, height] = [image.get_width(), image.get_height()];
    if (width * height > maxPixels) throw new NoPreview(tooLarge);
    const data = new Uint8ClampedArray(width * height * 4);
    const filled = await new Promise((resolve) => image.display({ data, width, height }, resolve));
    if (!filled) throw new NoPreview(unreadable);
    return { bytes: new Uint8Array(data.buffer), width, height };
  } catch (error) {
    throw error instanceof NoPreview ? error : new NoPreview(unreadable);
  } finally {
    for (const image of images) image.free();
    console.log = log;
  }
}

async function openHeif(): Promise<Heif> {
  const { default: heif } = await import("libheif-js/wasm-bundle.js");
  return heif as Heif;
}
