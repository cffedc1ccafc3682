/** Calls about files, which may be on disks that hang. */
export { leaveToSlowDisks as default } from "../../../../lib/server/http/middleware/slow_paths.ts";
