/** Makes the build that the servers of the tests start from, where there is none yet. */
import { ensureBuilt } from "../../lib/server/boot/build.ts";

await ensureBuilt((text) => console.log(text));
