import { createApp } from "./lib/app.ts";
import { openCubby } from "./lib/cubby.ts";
import { readConfig } from "./lib/start/handover.ts";
import { atDrain, atShutdown } from "./lib/start/shutdown.ts";

const cubby = await openCubby(await readConfig());
atShutdown(() => cubby.close());
atDrain(() => cubby.watches.close());

/** The application on the configuration that this process was started with. */
export const app = createApp(cubby);
