/** The files that the calls of the surface are about. */
import { join } from "node:path";
import { plant } from "../../support/disks/files.ts";
import { bitmap, quarters } from "../../support/data/pictures.ts";

const time = new Date("2024-03-01T10:00:00Z");

/** Plants the files that the calls are about, and sets their times. */
export async function plantSurface(root: string): Promise<void> {
  const png = await quarters(400, 300).png().toBuffer();
  await plant(root, {
    t: { "one.txt": "one", "two.md": "# two", sub: { "in.txt": "inner" } },
    odd: {
      ...{ notes: "a text without an extension", ".profile": "export A=1", ".dot": {}, empty: "" },
      "page.html": "<script>1</script>",
    },
    umlauts: { "a.txt": "a", "z.txt": "z", "ä.txt": "ä", "B.txt": "b", "10.txt": "", "9.txt": "" },
    order: { "old.txt": "old", "new.txt": "new", middle: {} },
    pics: {
      "pic.png": png,
      "photo.jpg": await quarters(400, 300).jpeg().toBuffer(),
      "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      "scan.tiff": await quarters(40, 40).tiff({ compression: "lzw" }).toBuffer(),
      "move.gif": await quarters(40, 40).gif().toBuffer(),
      "old.bmp": bitmap(2, [[230, 20, 20], [20, 180, 20], [20, 20, 230], [250, 250, 250]]),
      "broken.png": "no picture",
    },
    film: {
      "film.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n",
      "film.mp4": new Uint8Array([0, 0, 0, 1, 2, 3]),
      "film.srt": "1\n00:00:01,000 --> 00:00:02,500\nTwo<br>lines\n",
      subs: {
        "film.ass": "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\n" +
          "Format: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n[Events]\n" +
          "Format: Layer, Start, End, Style, Text\n" +
          "Dialogue: 0,0:00:01.00,0:00:02.00,Default,Spoken\n",
      },
    },
    every: {
      ...{ "a.txt": "a", "b.txt": "b", "c.txt": "c", f: { "in.txt": "f" }, g: { "own.txt": "g" } },
      "latin.txt": new Uint8Array([99, 97, 102, 0xe9]),
      "wide.txt": new Uint8Array([0xff, 0xfe, 99, 0, 97, 0]),
      "data.bin": new Uint8Array([0, 1, 2, 3]),
    },
    links: { "good.txt": "good", holder: {} },
    "100% sure": { "a+b.txt": "plus" },
    work: { "a.txt": "a", "b.txt": "b", c: { "d.txt": "d" }, "gone.txt": "gone" },
    own: { "mine.txt": "mine" },
  });
  setModes(root);
  const at = (path: string) => join(root, path);
  await Deno.symlink("nowhere", at("links/broken"));
  await Deno.symlink("/etc/passwd", at("links/leaving"));
  await Deno.symlink("/etc/passwd", at("links/holder/leaving"));
  await Deno.symlink("good.txt", at("links/inside"));
  for (const [path, days] of [["order/old.txt", 0], ["order/middle", 1], ["order/new.txt", 2]]) {
    const when = new Date(time.getTime() + Number(days) * 86_400_000);
    await Deno.utime(at(String(path)), when, when);
  }
}

/** The modes of the recorded answers, whatever the umask is. */
function setModes(folder: string): void {
  Deno.chmodSync(folder, 0o755);
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) setModes(join(folder, name));
    else Deno.chmodSync(join(folder, name), 0o644);
  }
}
