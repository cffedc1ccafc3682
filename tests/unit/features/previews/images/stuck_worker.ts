/** A worker that answers, dies, breaks down, or never answers, as the keys of its tasks say. */
import type {
  ResizeOutcome,
  ResizeTask,
} from "../../../../../lib/server/features/previews/images/resize_worker.ts";
import { serveWorker } from "../../../../../lib/server/core/concurrency/serve_worker.ts";

const bytesOf = (text: string) => ({ bytes: new TextEncoder().encode(text) });
const never = new Promise<ResizeOutcome>(() => {});

let count = 0;

serveWorker({
  resize({ key }: ResizeTask): ResizeOutcome | Promise<ResizeOutcome> {
    switch (key) {
      case "die":
        setTimeout(() => {
          throw new Error("died");
        }, 0);
        return never;
      case "fail":
        return { failure: "a fault of the program" };
      case "refuse":
        return { refusal: "it is not a picture" };
      case "count":
        return bytesOf(String(++count));
      case "do":
        return bytesOf("done");
      case "wait":
        return new Promise((resolve) => setTimeout(() => resolve(bytesOf("waited")), 1_200));
      default:
        return never;
    }
  },
}, { idleMs: 800 });
