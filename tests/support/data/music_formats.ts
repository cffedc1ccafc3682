/** Music in formats that browsers lack: a second each. */
import { join } from "node:path";
import { temporaryFolder } from "../disks/files.ts";

/** Makes the files, by their names. */
export async function makeMusic(): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  await using folder = await temporaryFolder();
  const made: Record<string, Uint8Array<ArrayBuffer>> = { "silence.dsf": dsf() };
  const formats = {
    "tone.wv": ["-c:a", "wavpack"],
    "tone.aiff": [],
    "tone.ac3": [],
    "tone.dts": ["-strict", "-2", "-c:a", "dca"],
    "tone.tta": [],
  };
  for (const [name, codec] of Object.entries(formats)) {
    const path = join(folder.path, name);
    const { success, stderr } = await new Deno.Command("ffmpeg", {
      args: ["-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=1", "-ac", "2", ...codec, path],
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    made[name] = await Deno.readFile(path);
  }
  return made;
}

/** A second of silence as DSD, in the format of Sony (DSF). */
function dsf(): Uint8Array<ArrayBuffer> {
  const [rate, channels, block, blocks] = [2_822_400, 2, 4_096, 87];
  const length = channels * block * blocks;
  const bytes = new Uint8Array(28 + 52 + 12 + length).fill(0x69);
  const view = new DataView(bytes.buffer);
  const chunk = (at: number, name: string, size: number) => {
    bytes.set(new TextEncoder().encode(name), at);
    view.setBigUint64(at + 4, BigInt(size), true);
  };
  chunk(0, "DSD ", 28);
  view.setBigUint64(12, BigInt(bytes.length), true);
  view.setBigUint64(20, 0n, true);
  chunk(28, "fmt ", 52);
  // Version, DSD, stereo, channels, samples a second, bits.
  [1, 0, 2, channels, rate, 1].forEach((value, at) => view.setUint32(40 + at * 4, value, true));
  view.setBigUint64(64, BigInt(rate), true);
  [block, 0].forEach((value, at) => view.setUint32(72 + at * 4, value, true));
  chunk(80, "data", 12 + length);
  return bytes;
}
