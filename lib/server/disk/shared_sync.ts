/** The flushes of one folder: the one under way, and the one that follows it. */
interface Flushes {
  running: Promise<void>;
  next: Promise<void> | null;
}

const flushes = new Map<string, Flushes>();

/**
 * Flushes a folder once for all callers at a time: a caller that comes while a flush runs, which
 * may be too early for its names, waits for the next one together with others.
 *
 * @param key identifies the folder
 * @param flush is called once for those who share it; its failure is that of all
 */
export function shareSync(key: string, flush: () => Promise<void>): Promise<void> {
  const known = flushes.get(key);
  if (known) {
    known.next ??= known.running.catch(() => {}).then(() => begin(key, flush));
    return known.next;
  }
  return begin(key, flush);
}

function begin(key: string, flush: () => Promise<void>): Promise<void> {
  const running = flush();
  const mine: Flushes = { running, next: null };
  flushes.set(key, mine);
  const end = () => {
    if (flushes.get(key) === mine && mine.next === null) flushes.delete(key);
  };
  running.then(end, end);
  return running;
}
