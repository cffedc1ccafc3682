import { assembleFilter, errorNumber, type Refusal } from "./call_filter.ts";
import { installFilter } from "./install_filter.ts";
import { selfContained } from "./server_filter.ts";

const sockets: Refusal = { calls: ["socket", "socketpair"], error: errorNumber.notPermitted };

/** The refusals of {@linkcode filterReaderCalls}. @param pid of the process */
function readerRefusals(pid: number): Refusal[] {
  return [...selfContained(pid), sockets];
}

/**
 * Keeps this process, and the program that it becomes, from making sockets of any kind, processes,
 * and whatever else reaches beyond it. It stays able to execute what its Landlock domain allows.
 *
 * @param pid of this process, the only one that it may signal
 * @throws Error when the kernel refuses, or the architecture is not known
 */
export function filterReaderCalls(pid: number): void {
  installFilter("libc.so.6", assembleFilter(readerRefusals(pid)), 0n);
}
