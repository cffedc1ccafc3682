type Task = () => void | Promise<void>;

const tasks: Task[] = [];
const drains: (() => void)[] = [];

/**
 * Has `task` done when this thread stops serving: after the last request, before the process ends.
 * Tasks run one after the other, the latest first, so that what was opened last is closed first.
 */
export function atShutdown(task: Task): void {
  tasks.push(task);
}

/**
 * Has `task` done when this thread begins to stop, before it waits for the requests under way: for
 * answers that would never end by themselves.
 */
export function atDrain(task: () => void): void {
  drains.push(task);
}

/** Does what was asked for through `atDrain`. */
export function beginDrain(): void {
  for (const task of drains.splice(0)) task();
}

/**
 * Does all that was asked for through `atShutdown`, each once. A task that fails does not keep the
 * others from running.
 *
 * @throws AggregateError with the failures
 */
export async function closeDown(): Promise<void> {
  const failures: unknown[] = [];
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    try {
      await task();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "Cannot close everything");
}
