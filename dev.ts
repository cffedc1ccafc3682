import { Builder } from "fresh/dev";

const builder = new Builder();
if (Deno.args.includes("build")) {
  await builder.build();
} else {
  await builder.listen(() => import("./main.ts"), { hostname: "127.0.0.1", port: 8080 });
}
