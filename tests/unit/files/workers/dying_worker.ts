/** The Worker of the walker, but one that dies of the word "none", after a while. */
import "../../../../lib/server/files/workers/listing_worker_main.ts";

const worker = self as unknown as { onmessage: (event: MessageEvent) => void };
const answer = worker.onmessage;

worker.onmessage = (event) => {
  if (event.data.args?.path === "/none") {
    queueMicrotask(() => {
      throw new Error("a fault in the Worker");
    });
    return;
  }
  answer(event);
};
