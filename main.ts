import { createApp } from "./lib/server/app.ts";
import { openCubby } from "./lib/server/cubby.ts";
import { isWaitingThread } from "./lib/server/disk/waiting_thread.ts";
import { SlowDisks } from "./lib/server/slow_disks/slow_disks.ts";
import { readConfig, readLaunchPayload } from "./lib/server/boot/launch_payload.ts";
import { openLog } from "./lib/server/log/log.ts";
import { atDrain, atShutdown } from "./lib/server/boot/shutdown.ts";

// In a thread that waits for slow disks: the thread that sent a request logs it.
const log = isWaitingThread() ? { ...openLog(), request() {} } : openLog();
const payload = isWaitingThread() ? null : readLaunchPayload();
const slowDisks = payload && new SlowDisks(payload.disksPatienceMs);

// The thread of the process itself opens its store before it starts others.
const isFirst = !("WorkerGlobalScope" in globalThis);
const cubby = await openCubby(await readConfig(), log, slowDisks, isFirst);
atShutdown(() => cubby.close());
atShutdown(() => slowDisks?.stop());
atDrain(() => cubby.watches.close());
if (!isWaitingThread()) cubby.jobs.adopt();
atDrain(() => slowDisks?.drain());

/** The application on the configuration that this process was started with. */
export const app = createApp(cubby);
