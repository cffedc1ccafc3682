import { isBelow } from "../../core/disk/real_path.ts";
import { temporaryFolders } from "../../core/sandbox/program_paths.ts";
import type { CommandRequest, HostSpec } from "./protocol.ts";

/**
 * The reason why a command must not run, or null. The gate has checked the request; this is the
 * defence should the server be compromised: a command gets a folder of the root, and none that
 * holds the store, its key or the program, since write access to these gives full control.
 */
export function refuseRequest(request: CommandRequest, spec: HostSpec): string | null {
  const { scope, folder } = request;
  if (scope === null) {
    return temporaryFolders.includes(folder) ? null : "access to the folder is denied";
  }
  if (!isRealFolder(scope) || !isRealFolder(folder)) return "the folder is not there";
  if (!isBelow(scope, spec.root) || !isBelow(folder, scope)) {
    return "access to the folder is denied";
  }
  if (spec.sandbox === "none") return null;
  if (scope === "/") return "the user's scope is the whole file system";
  if (spec.kept.some((path) => isBelow(path, scope) || isBelow(scope, path))) {
    return "the user's scope holds files of the server itself: its program, store, cache or settings";
  }
  return null;
}

function isRealFolder(path: string): boolean {
  try {
    return Deno.realPathSync(path) === path && Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
