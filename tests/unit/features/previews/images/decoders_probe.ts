/** Prints with which decoders this process makes previews, and what became of those it tried. */
import { Gate } from "../../../../../lib/server/core/access/gate.ts";
import { PreviewSource } from "../../../../../lib/server/features/previews/images/preview_source.ts";
import { Previews } from "../../../../../lib/server/features/previews/images/previews.ts";
import { at, viewer } from "../../../core/access/visitors.ts";

const [root = "", cacheDir = "", ...names] = Deno.args;
const previews = new Previews({ cacheDir, concurrency: 2, note: (text) => console.log(text) });
const access = new Gate({ root, reserved: [] }).enter(viewer());

for (const name of names) {
  for (const size of ["thumb", "thumb640", "big"] as const) {
    try {
      const source = new PreviewSource({
        ...{ access, path: at(`/${name}`), size, format: "webp" },
        can: (method) => previews.can(method),
      });
      const { bytes, format } = await previews.make(source, "ann");
      await Deno.writeFile(`${cacheDir}/${name}.${size}`, bytes);
      console.log(`${name} ${size}: ${format}`);
    } catch (error) {
      console.log(`${name} ${size}: ${error instanceof Error ? error.message : error}`);
    }
  }
}
previews.close();
