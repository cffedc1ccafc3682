import type { Resource } from "../../shared/api_types.ts";

/** Tells states of a folder apart: entries that come, go or change their name alter it. */
export function stampOf(resource: Resource | null): string {
  return `${resource?.modified} ${resource?.numDirs} ${resource?.numFiles}`;
}
