/** Exit statuses with a meaning of their own, as shells and `env` use them. */
export const exitStatus = {
  /** The command could not be prepared, so nothing of it ran. */
  noSandbox: 125,
  /** It must not run. */
  refused: 126,
  /** There is no such program. */
  notFound: 127,
  /** Killed by SIGKILL, as for a limit. */
  killed: 137,
} as const;
