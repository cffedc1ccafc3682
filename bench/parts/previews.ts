import { join } from "node:path";
import sharp from "sharp";
import { has, runQuietly } from "../commands.ts";
import { race, secondsOf } from "../race.ts";
import type { Setup, Target } from "../set_up.ts";
import { stall } from "../stall.ts";
import { atMost, duration, type Row } from "../table.ts";

/** Debian's program itself: what stands before it on PATH may be a wrapper that costs time. */
const convert = "/usr/bin/convert";
const photo = "photo-12-megapixels.jpg";

/**
 * The thumbnail of a 12-megapixel photograph, each time of a file that has none yet, and the same
 * from the cache. Against ImageMagick, which starts anew for each as it does in scripts: as people
 * call it, and told beforehand that a smaller picture will do, so that it decodes less, as we do.
 */
export async function measurePreviews(setup: Setup): Promise<Row[]> {
  const { root, one, many, rounds } = setup;
  const source = join(root, photo);
  await plantPhoto(source);
  let count = 0;
  const fresh = async (target: Target) => {
    const name = `fresh-${count++}.jpg`;
    await Deno.copyFile(source, join(root, name));
    return await secondsOf(() => fetchThumbnail(target, name));
  };
  const ours = [one, many].map((target) => ({ name: target.name, run: () => fresh(target) }));
  const cached = { name: "cached", run: () => secondsOf(() => fetchThumbnail(one, photo)) };
  const size = ["-thumbnail", "256x256^", "-gravity", "center", "-extent", "256x256"];
  const convertWith = (...hint: string[]) => () =>
    secondsOf(() => runQuietly(convert, ...hint, source, ...size, join(root, "theirs.jpg")));
  const theirs = has("convert")
    ? [
      { name: "`convert -thumbnail`", run: convertWith() },
      { name: "the same with a size hint", run: convertWith("-define", "jpeg:size=512x512") },
    ]
    : [];
  const results = await race([...ours, cached, ...theirs], rounds);
  const rows = ours.flatMap(({ name }, index): Row[] => {
    const result = results[index] ?? NaN;
    const row = { what: `thumbnail of 12 megapixels, ${name}`, cubby: duration(result) };
    if (theirs.length === 0) return [row];
    return theirs.map((contender, place) => {
      const baseline = results[ours.length + 1 + place] ?? NaN;
      const ratio = result / baseline;
      const against = `${contender.name} ${duration(baseline)}`;
      const isTarget = index === 0 && place === 0;
      return { ...row, against, ratio, target: isTarget ? atMost(ratio, 0.5, "0.5x") : undefined };
    });
  });
  const again = duration(results[ours.length] ?? NaN);
  return [
    ...rows,
    { what: "the same thumbnail again, 1 worker", cubby: again },
    await stallOf(setup, source),
  ];
}

/** How long another connection waits while eight are made. */
function stallOf(setup: Setup, source: string): Promise<Row> {
  return stall(setup, "longest stall while eight are made in a row", async (round) => {
    const names = Array.from({ length: 8 }, (_, index) => `row-${round}-${index}.jpg`);
    for (const name of names) await Deno.copyFile(source, join(setup.root, name));
    return async () => {
      for (const name of names) await fetchThumbnail(setup.one, name);
    };
  });
}

/** Noise made soft: about as much detail, and as large a file, as a camera makes. */
export async function plantPhoto(path: string): Promise<void> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  await sharp({ create: { width: 4000, height: 3000, channels: 3, background: "#888", noise } })
    .blur(1.5).jpeg({ quality: 90 }).toFile(path);
}

async function fetchThumbnail({ server, token }: Target, name: string): Promise<void> {
  const answer = await fetch(`${server.url}/api/preview/thumb/${name}`, {
    headers: { "x-auth": token, accept: "image/webp" },
  });
  const { length } = await answer.bytes();
  if (!answer.ok || length === 0) throw new Error(`Cannot fetch a thumbnail: ${answer.status}`);
}
