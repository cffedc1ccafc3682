import { createApp } from "./lib/server/http/app.ts";
import { flushInTime } from "./lib/server/features/audit/audit.ts";
import { openCubby } from "./lib/server/boot/cubby/open_cubby.ts";
import { isWaitingThread } from "./lib/server/core/disk/waiting_thread.ts";
import { SlowDisks } from "./lib/server/core/slow_disks/slow_disks.ts";
import { readConfig, readLaunchPayload } from "./lib/server/boot/launch_payload.ts";
import { openLog } from "./lib/server/core/log/log.ts";
import { atDrain, atShutdown } from "./lib/server/boot/shutdown.ts";
import { withoutLauncher } from "./lib/server/boot/without_launcher.ts";

// In a thread that waits for slow disks: the thread that sent a request logs it.
const config = await readConfig();
const opened = openLog(config.logFormat);
const log = isWaitingThread() ? { ...opened, request() {} } : opened;
const payload = isWaitingThread() ? null : readLaunchPayload();
const slowDisks = payload && new SlowDisks(payload.disksTimeoutMs);

// The thread of the process itself opens its store before it starts others.
const isFirst = !("WorkerGlobalScope" in globalThis);
const cubby = await openCubby(config, log, slowDisks, isFirst);
atShutdown(() => cubby.close());
atShutdown(() => flushInTime(cubby.audit, 2_000));
atShutdown(() => flushInTime(cubby.notifications, 2_000));
atShutdown(() => flushInTime(cubby.webhooks, 2_000));
atShutdown(() => slowDisks?.stop());
atShutdown(() => cubby.coediting.stop());
atDrain(() => cubby.watches.close());
atDrain(() => void cubby.coediting.stop());
cubby.jobs.adopt();
cubby.contents.start();
if (!isWaitingThread()) cubby.webhooks?.start();
atDrain(() => slowDisks?.drain());

/** The application on the configuration that this process was started with. */
export const app = withoutLauncher(createApp(cubby), cubby.config);
