type Task = () => void | Promise<void>;

const tasks: Task[] = [];

/**
 * Has `task` done when this thread stops serving: after the last request, before the process ends.
 * Tasks run one after the other, the latest first, so that what was opened last is closed first.
 */
export function atShutdown(task: Task): void {
  tasks.push(task);
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
