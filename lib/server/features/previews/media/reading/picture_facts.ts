import ExifReader from "exifreader";
import { imageSize } from "image-size";
import type { MediaInfo } from "../../../../../shared/schemas/media.ts";
import { readJpegHeader } from "../../images/jpeg_header.ts";
import { kindOf } from "../../images/picture.ts";
import { isRaw } from "../../images/preview_method.ts";
import type { ByteSource } from "./byte_source.ts";
import { findEmbeddedJpeg } from "./embedded_jpeg.ts";
import { countHeifPictures, readHeifSize } from "./heif_size.ts";
import { shownText } from "./shown_text.ts";
import { readTakenTime, takenTimeOfXmp } from "./taken_time.ts";
import { countTiffPages, findTiffPictures } from "./tiff.ts";

/** Most bytes read of a picture: all of most, as some formats keep EXIF data at the end. */
const maxBytes = 32 * 2 ** 20;
/** The beginning of a JPEG, which nearly always has its size and all EXIF data, in bytes. */
const jpegHeadBytes = 256 * 1024;
/** The beginning of a larger one, or of a RAW file, in bytes. */
const headBytes = 2 * 2 ** 20;
/** More pixels than any picture has: such a number is a mistake, or a lie. */
const maxSide = 1_000_000;

type ExifTags = Record<string, { value: unknown; description: unknown } | undefined>;

/** The dimensions of a picture, and what its EXIF data tell. */
export function readPictureFacts(source: ByteSource, name: string): MediaInfo {
  const head = jpegFactsOf(source);
  if (head && !isRaw(name)) return head;
  const isPlain = source.size <= maxBytes && !isRaw(name);
  const bytes = source.bytes(0, isPlain ? source.size : headBytes);
  const { orientation, ...own } = exifOf(bytes);
  if (!isRaw(name)) {
    return { ...sizeOf(source, bytes, orientation), ...pagesOf(source, bytes), ...own };
  }
  const jpeg = findEmbeddedJpeg(source);
  const { orientation: _, ...inner } = jpeg && own.camera === undefined
    ? exifOf(source.bytes(jpeg.offset, Math.min(jpeg.length, headBytes)))
    : {};
  return { ...(jpeg ? turned(jpeg, jpeg.orientation) : {}), ...inner, ...own };
}

/** The facts in the beginning of a JPEG; null for another file, or one with a long head. */
function jpegFactsOf(source: ByteSource): MediaInfo | null {
  const bytes = source.bytes(0, jpegHeadBytes);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const size = sizeOf(source, bytes);
  const { orientation: _, ...own } = exifOf(bytes);
  return size.width === undefined ? null : { ...size, ...own };
}

/** @param orientation by the EXIF data, which counts for PNG and WebP */
function sizeOf(source: ByteSource, bytes: Uint8Array, orientation = 1): MediaInfo {
  try {
    switch (kindOf(bytes)) {
      case "jpeg": {
        const header = readJpegHeader(bytes);
        return header ? turned(header, header.orientation) : {};
      }
      case "tiff": {
        const tiff = findTiffPictures(source);
        return tiff ? turned(tiff, tiff.orientation) : turned(imageSize(bytes), 1);
      }
      case "avif":
      case "heif":
        return turned(readHeifSize(bytes) ?? imageSize(bytes), 1);
      case "png":
      case "webp":
        return turned(imageSize(bytes), orientation);
      default:
        return turned(imageSize(bytes), 1);
    }
  } catch {
    return {};
  }
}

/** How many pictures there are, if that is not one. */
function pagesOf(source: ByteSource, bytes: Uint8Array): MediaInfo {
  const kind = kindOf(bytes);
  const pages = kind === "tiff"
    ? countTiffPages(source)
    : kind === "heif"
    ? countHeifPictures(bytes)
    : 0;
  return pages > 1 ? { pages } : {};
}

/** Width and height as they are shown, by the EXIF orientation. */
function turned({ width, height }: { width: number; height: number }, orientation: number) {
  if (![width, height].every((side) => side > 0 && side < maxSide)) return {};
  const [across, down] = orientation >= 5 ? [height, width] : [width, height];
  return { width: Math.round(across), height: Math.round(down) };
}

/** What EXIF data tell, with the orientation, 1 to 8. */
function exifOf(bytes: Uint8Array<ArrayBuffer>): MediaInfo & { orientation?: number } {
  let tags: ExifTags;
  let place: { Latitude?: number; Longitude?: number };
  try {
    const { buffer, byteOffset, length } = bytes;
    const view = new DataView(buffer, byteOffset, length);
    const read = ExifReader.loadView(view, { expanded: true });
    tags = (read.exif ?? {}) as unknown as ExifTags;
    place = read.gps ?? {};
  } catch {
    return takenTimeOfXmp(bytes);
  }
  const isPlace = Number.isFinite(place.Latitude) && Number.isFinite(place.Longitude) &&
    Math.abs(place.Latitude ?? 91) <= 90 && Math.abs(place.Longitude ?? 181) <= 180;
  const zone = textOf(tags.OffsetTimeOriginal) ?? textOf(tags.OffsetTime);
  const orientation = numberOf(tags.Orientation);
  return withoutNothing({
    orientation: orientation !== undefined && orientation <= 8 ? orientation : undefined,
    ...firstTold(
      () => readTakenTime(textOf(tags.DateTimeOriginal), zone),
      () => takenTimeOfXmp(bytes),
      () => readTakenTime(textOf(tags.DateTime), zone),
    ),
    camera: cameraOf(textOf(tags.Make), textOf(tags.Model)),
    lens: textOf(tags.LensModel),
    exposure: exposureOf(numberOf(tags.ExposureTime)),
    aperture: rounded(numberOf(tags.FNumber), 10),
    iso: rounded(numberOf(tags.ISOSpeedRatings), 1),
    focalLength: rounded(numberOf(tags.FocalLength), 10),
    latitude: isPlace ? place.Latitude : undefined,
    longitude: isPlace ? place.Longitude : undefined,
  });
}

/** The first time that is told. */
function firstTold(...times: (() => MediaInfo)[]): MediaInfo {
  for (const time of times) {
    const told = time();
    if (told.taken) return told;
  }
  return {};
}

/** The object without members that are undefined, which would hide others. */
function withoutNothing<Info extends object>(info: Info): Info {
  const known = Object.entries(info).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Info;
}

function textOf(tag: ExifTags[string]): string | undefined {
  const value = Array.isArray(tag?.value) ? tag.value[0] : tag?.value;
  return shownText(value);
}

/** A number, or a rational one as numerator and denominator. */
function numberOf(tag: ExifTags[string]): number | undefined {
  const value = Array.isArray(tag?.value) && !Array.isArray(tag.value[0]) && tag.value.length === 2
    ? Number(tag.value[0]) / Number(tag.value[1])
    : Number(Array.isArray(tag?.value) ? tag.value[0] : tag?.value);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

function rounded(value: number | undefined, parts: number): number | undefined {
  return value === undefined ? undefined : Math.round(value * parts) / parts;
}

/** Maker and model, without the maker twice: many models begin with it. */
function cameraOf(make = "", model = ""): string | undefined {
  const [maker = ""] = make.split(" ");
  const isNamed = model.toLowerCase().startsWith(maker.toLowerCase());
  return (isNamed ? model : `${make} ${model}`).trim() || undefined;
}

/** "1/250", or seconds from half a second on. */
function exposureOf(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  return seconds < 0.5 ? `1/${Math.round(1 / seconds)}` : String(rounded(seconds, 10));
}
