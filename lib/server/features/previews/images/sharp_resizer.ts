import type { Metadata, Sharp, SharpOptions } from "sharp";
import { Concurrency, FairQueue } from "../../../core/concurrency/fair_queue.ts";
import { decodeBmp } from "./bmp.ts";
import { cellsOf } from "./folder_cover.ts";
import { decodeHeif } from "./heif_decoder.ts";
import { NoPreview, tooLarge, unreadable } from "./no_preview.ts";
import type { EncodedPicture } from "./picture.ts";
import {
  maxJpegPixels,
  maxPixels,
  type PreviewFormat,
  type PreviewSize,
  shapes,
  squareSide,
} from "./preview.ts";
import { hashSide, type Resizer } from "./resizer.ts";

/** Timeout of decoding, in seconds. */
const timeoutSeconds = 15;

/** Memory for all pictures being decoded, in bytes; a larger one runs alone. */
const memoryTogether = 128 * 2 ** 20;
/** A picture that needs more memory is refused. */
const maxMemoryBytes = 640 * 2 ** 20;

/**
 * Disabled decoders: those that open files by themselves, those of formats that no browser
 * supports, SVG (half a kilobyte can cost hours of CPU; browsers show the file itself) and high
 * dynamic range, which only costs time: the same files decode as plain JPEG.
 */
const unwanted = [
  ...["Svg", "Uhdr", "Vips", "Raw", "Csv", "Matrix", "Analyze", "Ppm", "Rad"],
  ...["JpegFile", "PngFile", "WebpFile", "TiffFile", "HeifFile", "NsgifFile"],
].map((name) => `VipsForeignLoad${name}`);

/**
 * A decoder in native code (libvips) with its own threads, or null where that can't be loaded:
 * another system, or a process without `--allow-ffi` on node_modules.
 */
export async function openSharp(): Promise<Resizer | null> {
  try {
    const { default: sharp } = await import("sharp");
    // Each picture is decoded once: libvips' cache would be useless.
    sharp.cache(false);
    // Previews run in parallel: one thread each.
    sharp.concurrency(1);
    sharp.block({ operation: unwanted });
    const memory = new FairQueue({ capacity: new Concurrency(Infinity, memoryTogether) });
    return {
      name: `sharp ${sharp.versions.sharp} (libvips ${sharp.versions.vips})`,
      async resize(picture, size, format) {
        const [bytes, options] = await inputOf(picture);
        const limitInputPixels = maxPixelsOf(picture);
        const input = sharp(bytes, { ...limits, limitInputPixels, ...options });
        const needed = options.raw ? bytes.length : await measure(input, picture);
        if (needed > maxMemoryBytes) throw new NoPreview(tooLarge);
        return await memory.run("", needed, () => encode(input, picture, { size, format }));
      },
      async compose(pictures, size, format) {
        const { side } = shapes[size];
        const cells = cellsOf(pictures.length, side);
        const parts = await Promise.all(pictures.map(async ({ bytes }, index) => {
          const { left = 0, top = 0, width = side, height = side } = cells[index] ?? {};
          const cut = sharp(bytes, limits).resize(width, height, { fit: "cover" });
          return { input: await cut.png({ compressionLevel: 0 }).toBuffer(), left, top };
        }));
        const canvas = { width: side, height: side, channels: 4, background: "#0000" } as const;
        const cover = sharp({ create: canvas }).composite(parts);
        return new Uint8Array(await encoded(cover, format).toBuffer());
      },
      async tiny({ bytes }) {
        const options = { fit: "fill" } as const;
        const tiny = sharp(bytes, limits).resize(hashSide, hashSide, options).ensureAlpha();
        const pixels = new Uint8Array(await tiny.raw().toBuffer());
        return { bytes: pixels, width: hashSide, height: hashSide };
      },
    };
  } catch {
    return null;
  }
}

const limits: SharpOptions = {
  limitInputPixels: maxPixels,
  // A picture that breaks off is shown as far as it goes, as browsers do.
  failOn: "none",
  unlimited: false,
  sequentialRead: true,
};

async function inputOf(picture: EncodedPicture): Promise<[Uint8Array, SharpOptions]> {
  const isDecodedHere = picture.kind === "bmp" || picture.kind === "heif";
  if (!isDecodedHere) return [picture.bytes, {}];
  const { bytes, width, height } = picture.kind === "bmp"
    ? decodeBmp(picture.bytes)
    : await decodeHeif(picture.bytes);
  return [bytes, { raw: { width, height, channels: 4 } }];
}

function maxPixelsOf({ kind }: EncodedPicture): number {
  return kind === "jpeg" ? maxJpegPixels : maxPixels;
}

/** Estimates the memory of decoding, in bytes. */
async function measure(input: Sharp, picture: EncodedPicture): Promise<number> {
  try {
    const metadata = await input.metadata();
    const pixels = metadata.width * metadata.height;
    if (pixels > maxPixelsOf(picture)) throw new NoPreview(tooLarge);
    return picture.bytes.length + pixels * bytesPerPixel(metadata);
  } catch (error) {
    throw error instanceof NoPreview ? error : refusalOf(error);
  }
}

/** Bytes held of each pixel until all are decoded; almost none when rows come in order. */
function bytesPerPixel(metadata: Metadata): number {
  const { format, isProgressive, chromaSubsampling, channels, bitsPerSample = 8 } = metadata;
  const plain = channels * Math.max(1, bitsPerSample / 8);
  switch (format) {
    case "jpeg":
      return isProgressive ? (chromaSubsampling === "4:2:0" ? 3 : 6) : 0.1;
    case "png":
      return isProgressive ? plain : 0.1;
    case "heif":
      return 20;
    case "gif":
      return 6;
    default:
      return plain;
  }
}

async function fit(input: Sharp, isPage: boolean, size: PreviewSize): Promise<Sharp> {
  const { side, isSquare, width } = shapes[size];
  const upright = input.autoOrient().timeout({ seconds: timeoutSeconds });
  if (!isSquare) return upright.resize(width, side, { fit: "inside", withoutEnlargement: true });
  if (isPage) return fitPage(upright, await input.metadata(), size);
  const cut = size === "thumb" ? side : squareSide(size, await input.metadata());
  return upright.resize(cut, cut, { fit: "cover" });
}

/** A page is known by its top; one that is wider than high, such as a slide, is shown whole. */
function fitPage(page: Sharp, { width, height }: Metadata, size: PreviewSize): Sharp {
  const side = squareSide(size, { width, height });
  if (width > height) return page.resize(side, side, { fit: "contain", background: "white" });
  return page.resize(side, side, { fit: "cover", position: "top" });
}

async function encode(
  input: Sharp,
  { isPage = false }: EncodedPicture,
  { size, format }: { size: PreviewSize; format: PreviewFormat },
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const preview = await fit(input, isPage, size);
    return new Uint8Array(await encoded(preview, format).toBuffer());
  } catch (error) {
    throw refusalOf(error);
  }
}

function encoded(picture: Sharp, format: PreviewFormat): Sharp {
  return format === "webp"
    ? picture.webp({ quality: 78, effort: 2 })
    : picture.flatten({ background: "#fff" }).jpeg({ quality: 80 });
}

/** libvips' messages are useless to users, and sometimes long. */
function refusalOf(error: unknown): NoPreview {
  const message = error instanceof Error ? error.message : "";
  return new NoPreview(/pixel limit|^timeout/.test(message) ? tooLarge : unreadable);
}
