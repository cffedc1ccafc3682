import { DomainError } from "../errors.ts";

/** Lists and walks in a Worker, so that the serving thread never waits for a large folder. */
export class Walker {
  /** Ends the Worker; calls under way reject. */
  close(): void {
    throw new DomainError("internal", "Cannot close the walker");
  }
}
