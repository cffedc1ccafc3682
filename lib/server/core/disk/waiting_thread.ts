/**
 * The one environment variable that the server process may read. Not an argument: every user of the
 * machine can read those, and the first administrator's password is in it.
 */
export const launchVariable = "CUBBY_START";

/** Separates the name of a Worker from the devices that it may wait for. */
const mark = "+disks=";

/**
 * The devices whose disks this thread may wait for. The threads of a server may wait for none that
 * can hang, except threads started for that; other processes may wait for all.
 */
export function waitingDevices(): ReadonlySet<string> | "all" {
  if (!isServer()) return "all";
  return new Set(ownMark()?.split(",") ?? []);
}

/** Whether this thread was started to wait for slow disks. */
export function isWaitingThread(): boolean {
  return ownMark() !== null;
}

/**
 * The name of a Worker, which encodes the devices that it may wait for: it knows them before it
 * touches any disk.
 *
 * @param devices those of this thread unless given
 */
export function workerName(name: string, devices?: readonly string[]): string {
  const text = devices?.join(",") ?? ownMark();
  return text === null ? name : `${name}${mark}${text}`;
}

function ownMark(): string | null {
  const { name } = globalThis as { name?: unknown };
  if (typeof name !== "string") return null;
  const at = name.indexOf(mark);
  return at < 0 ? null : name.slice(at + mark.length);
}

function isServer(): boolean {
  try {
    return Deno.env.has(launchVariable);
  } catch {
    return false;
  }
}
