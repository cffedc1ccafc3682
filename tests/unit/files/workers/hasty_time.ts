/** Minutes pass in tenths of a second, for a Worker that imports this first. */
const { setTimeout: later } = globalThis;
const hasty = (run: () => void, ms = 0) => later(run, ms < 60_000 ? ms : ms / 600);
globalThis.setTimeout = hasty as typeof setTimeout;
