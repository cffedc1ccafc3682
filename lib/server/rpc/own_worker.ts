import { WorkerCalls } from "./worker_calls.ts";

/**
 * Work that is done in a Worker of its own, so that neither requests nor other work wait for it. The
 * Worker starts with the first call; one that dies takes its calls with it, which reject, and the
 * next call starts another.
 */
export abstract class OwnWorker<Task> {
  /** How tasks reach the Worker. */
  protected readonly calls: WorkerCalls<Task>;

  /**
   * @param script the Worker's module
   * @param name what it is called by those who look into the process
   */
  constructor(script: URL, name: string) {
    this.calls = new WorkerCalls(script, name);
  }

  /** Ends the Worker; calls under way reject. A later call would start another. */
  close(): void {
    this.calls.close();
  }
}
