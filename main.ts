import { createApp } from "./lib/app.ts";
import { openCubby } from "./lib/cubby.ts";
import { isWaitingThread } from "./lib/disk/waiting_thread.ts";
import { SlowDisks } from "./lib/slow_disks/slow_disks.ts";
import { readConfig, readHandover } from "./lib/start/handover.ts";
import { openLog } from "./lib/start/log.ts";
import { atDrain, atShutdown } from "./lib/start/shutdown.ts";

// In a thread that waits for slow disks: the thread that sent a request logs it.
const log = isWaitingThread() ? { ...openLog(), request() {} } : openLog();
const handover = isWaitingThread() ? null : readHandover();
const slowDisks = handover && new SlowDisks(handover.disksPatienceMs);

const cubby = await openCubby(await readConfig(), log, slowDisks);
atShutdown(() => cubby.close());
atShutdown(() => slowDisks?.stop());
atDrain(() => cubby.watches.close());
atDrain(() => slowDisks?.drain());

/** The application on the configuration that this process was started with. */
export const app = createApp(cubby);
