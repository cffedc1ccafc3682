import { collectWhenIdle } from "../rpc/collect_garbage.ts";
import { Job } from "./job.ts";
import type { Answer, Call } from "./protocol.ts";
import { ChecksumCache } from "./zip/checksum_cache.ts";

/** The side of a Worker that talks to the thread which started it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Call>) => void) | null;
  postMessage(answer: Answer, transfer: Transferable[]): void;
}

const scope = self as unknown as WorkerScope;
const checksums = new ChecksumCache();
const jobs = new Map<number, Job>();

scope.onmessage = ({ data: call }) => {
  const { id } = call;
  if ("open" in call) {
    const job = new Job(call.open, checksums, (said) => {
      const answer = { id, ...said };
      scope.postMessage(answer, "bytes" in answer ? [answer.bytes.buffer] : []);
    });
    jobs.set(id, job);
    job.run().finally(() => {
      jobs.delete(id);
      collectWhenIdle(() => jobs.size === 0);
    });
    return;
  }
  const job = jobs.get(id);
  if ("write" in call) job?.write(call.write);
  else if ("credits" in call) job?.grant(call.credits);
  else job?.cancel();
};
