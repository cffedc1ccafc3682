/** `deno task start`: the bundled launcher or, before the first build, the launcher itself. */
import { pathToFileURL } from "node:url";
import { bundledPath } from "../core/config/app_folder.ts";
import { isFresh } from "./build.ts";

const launcher: typeof import("./launcher.ts") = isFresh()
  ? await import(pathToFileURL(bundledPath("lib/server/boot/launcher.ts")).href)
  : await import("./launcher.ts");
await launcher.main();
