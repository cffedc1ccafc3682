type Task = () => void | Promise<void>;

const tasks: Task[] = [];
const drains: (() => void)[] = [];

/**
 * Registers a task for when this thread has stopped serving: after the last request, before the
 * process ends. Tasks run one after the other, in reverse order of registration.
 */
export function atShutdown(task: Task): void {
  tasks.push(task);
}

/**
 * Registers a task for when this thread begins to stop, before it waits for requests in progress:
 * to end responses that would never end by themselves.
 */
export function atDrain(task: () => void): void {
  drains.push(task);
}

/** Runs the tasks of `atDrain`. */
export function beginDrain(): void {
  for (const task of drains.splice(0)) task();
}

/**
 * Runs the tasks of `atShutdown`, each once. A task that fails does not stop the others.
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
  if (failures.length > 0) {
    throw new AggregateError(failures, "Cannot close all connections and files");
  }
}
