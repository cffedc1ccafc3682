import { join } from "node:path";
import { Builder } from "fresh/dev";
import { bundleServer } from "./lib/server/boot/bundle.ts";
import { mergeChunks } from "./lib/server/boot/merge_chunks.ts";
import { findCalls } from "./lib/server/http/find_calls.ts";
import { apiDocument } from "./lib/server/http/openapi/document.ts";

/** What pdf.js loads by itself: see lib/client/screens/preview/pdf/open_pdf.ts. */
const pdfjs = "node_modules/pdfjs-dist";
const builder = new Builder({
  scriptAssets: {
    "pdf/pdf.worker.mjs": `${pdfjs}/legacy/build/pdf.worker.min.mjs`,
    "pdf/cmaps": `${pdfjs}/cmaps`,
    "pdf/fonts": `${pdfjs}/standard_fonts`,
    "pdf/codecs/openjpeg_nowasm_fallback.js": `${pdfjs}/wasm/openjpeg_nowasm_fallback.js`,
    "pdf/codecs/jbig2_nowasm_fallback.js": `${pdfjs}/wasm/jbig2_nowasm_fallback.js`,
  },
});
if (Deno.args.includes("build")) {
  await builder.build();
  const { outDir, buildId } = builder.config;
  await mergeChunks(join(outDir, "static", "_fresh", "js", buildId));
  await bundleServer(apiDocument("", await findCalls(new URL("./routes/", import.meta.url))));
} else {
  await builder.listen(() => import("./main.ts"), { hostname: "127.0.0.1", port: 8080 });
}
