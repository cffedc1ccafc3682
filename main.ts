import { createApp } from "./lib/app.ts";
import { openCubby } from "./lib/cubby.ts";
import { readConfig } from "./lib/start/handover.ts";

/** The application on the configuration that this process was started with. */
export const app = createApp(await openCubby(readConfig()));
