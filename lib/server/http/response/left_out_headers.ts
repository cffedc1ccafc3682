import { encodePath, type EntryPath, joinPaths, parsePath } from "../../../shared/path.ts";
import type { LeftOut } from "../../files/transfer/progress.ts";

/** Most characters of the header, as many servers and proxies take 8 KiB of headers in all. */
const maxHeaderLength = 4_000;

/**
 * Adds what a copy has left out of a folder to the headers of its answer: the number, and the first
 * paths as a list of strings (RFC 9651), each percent-encoded.
 *
 * @param folder the original
 */
export function addLeftOut(headers: Headers, folder: EntryPath, leftOut: LeftOut | null): void {
  if (!leftOut) return;
  headers.set("left-out-count", String(leftOut.count));
  let list = "";
  for (const path of leftOut.first) {
    const item = `"${encodePath(joinPaths(folder, parsePath(`/${path}`).path))}"`;
    if (list.length + item.length > maxHeaderLength - 2) break;
    list += list === "" ? item : `, ${item}`;
  }
  if (list !== "") headers.set("left-out", list);
}
