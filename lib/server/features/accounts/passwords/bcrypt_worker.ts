/** The thread in which bcryptjs computes, since it would block the event loop for 100 ms. */
import { compareSync, hashSync } from "bcryptjs";
import { serveWorker } from "../../../core/concurrency/serve_worker.ts";

const work = {
  hash: ({ password, cost }: { password: string; cost: number }) => hashSync(password, cost),
  verify: ({ password, hash }: { password: string; hash: string }) => compareSync(password, hash),
};

/** The functions of this worker. */
export type BcryptWork = typeof work;

serveWorker(work, {
  asError: (thrown) => new Error(`Cannot compute a password hash: ${thrown}`),
});
