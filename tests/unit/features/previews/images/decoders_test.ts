import assert from "node:assert/strict";
import { join } from "node:path";
import { libcPath } from "../../../../../lib/server/core/disk/libc.ts";
import { plant, temporaryFolder, type Tree } from "../../../../support/disks/files.ts";
import {
  bitmap,
  blackPng,
  looksOf,
  quarters,
  turnedCorners,
} from "../../../../support/data/pictures.ts";

const top = new URL("../../../../../", import.meta.url).pathname;

const shown: Tree = {
  "a.png": await quarters(1600, 1200).png().toBuffer(),
  "b.gif": await quarters(80, 60).gif().toBuffer(),
  "c.bmp": bitmap(2, [[230, 20, 20], [20, 180, 20], [20, 20, 230], [250, 250, 250]]),
};
for (const orientation of Object.keys(turnedCorners)) {
  shown[`${orientation}.jpg`] = await quarters(160, 120).jpeg({ quality: 95 })
    .withMetadata({ orientation: Number(orientation) }).toBuffer();
  shown[`${orientation}.png`] = await quarters(160, 120).png()
    .withMetadata({ orientation: Number(orientation) }).toBuffer();
}
const refused: Tree = {
  "bomb.png": blackPng(16_384, 16_384),
  "half.png": (await quarters(99, 99).png().toBuffer()).subarray(0, 200),
  "drawing.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"/>`,
  "modern.avif": await quarters(64, 64).avif({ effort: 0 }).toBuffer(),
  "noise.jpg": Uint8Array.from([0xff, 0xd8, 0xff, ...new Array(99).fill(7)]),
};

/** Makes previews in a process with these permissions and nobody to be asked for more. */
async function probe(...permissions: string[]) {
  const folder = await temporaryFolder();
  const [root, cache] = [join(folder.path, "root"), join(folder.path, "cache")];
  for (const path of [root, cache]) await Deno.mkdir(path);
  await plant(root, { ...shown, ...refused });
  const places = `--allow-read=${top},${folder.path},/usr/bin/ldd`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--no-check", "--cached-only", places],
      ...[
        `--allow-write=${cache}`,
        ...permissions,
        join(top, "tests/unit/features/previews/images/decoders_probe.ts"),
      ],
      ...[root, cache, ...Object.keys(shown), ...Object.keys(refused)],
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder();
  const lines = text.decode(stdout).trim().split("\n");
  return {
    lines,
    told: [...lines, text.decode(stderr)].join("\n"),
    looks: async (name: string, size: string) =>
      await looksOf(await Deno.readFile(join(cache, `${name}.${size}`))),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

for (
  const [index, { kind, permissions, decoders, format }] of [
    {
      kind: "native code",
      permissions: [`--allow-ffi=${libcPath},${top}node_modules`, "--ignore-env"],
      decoders: /^Previews: made with sharp [\d.]+ \(libvips [\d.]+\)$/,
      format: "webp",
    },
    {
      kind: "JavaScript, where no native code but the C library may be loaded,",
      permissions: [`--allow-ffi=${libcPath}`, "--ignore-env"],
      decoders: /^Previews: made with imagescript: /,
      format: "jpeg",
    },
  ].entries()
) {
  Deno.test(`${kind} makes previews that look the same`, async () => {
    await using probed = await probe(...permissions);
    assert.match(probed.lines[0] ?? "", decoders, probed.told);
    for (const name of Object.keys(shown)) {
      assert.ok(probed.lines.includes(`${name} thumb: ${format}`), probed.told);
      const { corners, ...looks } = await probed.looks(name, "thumb");
      assert.deepEqual(looks, { format, width: 256, height: 256 }, name);
      assert.equal(corners, turnedCorners[parseInt(name) || 1], name);
    }
    const larger = ["a.png", "b.gif", "6.jpg"].map(async (name) =>
      (await probed.looks(name, "thumb640")).width
    );
    assert.deepEqual(await Promise.all(larger), [640, 256, 256]);
    const { width, height } = await probed.looks("a.png", "big");
    assert.deepEqual([width, height], [1080, 810]);
    assert.equal((await probed.looks("6.jpg", "big")).width, 120);
    const onlyHere = /^(?:half\.png|modern\.avif)$/;
    for (const name of Object.keys(refused).filter((name) => index > 0 || !onlyHere.test(name))) {
      const refusal = new RegExp(
        `^${name} big: Cannot make a preview of "/${name}": the picture `,
        "m",
      );
      assert.match(probed.told, refusal);
    }
  });
}
