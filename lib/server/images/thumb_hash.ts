import { rgbaToThumbHash } from "thumbhash";
import { kindOf } from "./picture.ts";
import type { Resizer } from "./resizer.ts";

/** The ThumbHash of a thumbnail: its blurred colours in about 25 bytes. */
export async function thumbHashOf(
  thumbnail: Uint8Array<ArrayBuffer>,
  resizer: Resizer,
): Promise<Uint8Array | null> {
  const kind = kindOf(thumbnail);
  if (!kind) return null;
  const { bytes, width, height } = await resizer.tiny({ kind, bytes: thumbnail });
  return rgbaToThumbHash(width, height, bytes);
}
