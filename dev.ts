import { join } from "node:path";
import { Builder } from "fresh/dev";
import { mergeChunks } from "./lib/server/boot/merge_chunks.ts";

const builder = new Builder();
if (Deno.args.includes("build")) {
  await builder.build();
  const { outDir, buildId } = builder.config;
  await mergeChunks(join(outDir, "static", "_fresh", "js", buildId));
} else {
  await builder.listen(() => import("./main.ts"), { hostname: "127.0.0.1", port: 8080 });
}
