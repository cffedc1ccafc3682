import { useRef } from "react";
import type { Resource } from "../../shared/api_types.ts";
import { useFiles } from "../navigation/use_files.ts";

/**
 * The open file that something unsaved belongs to, as it was before: it stays on screen when it is
 * deleted or becomes something else meanwhile. Null when nothing is unsaved.
 */
export function useHeldFile(): Resource | null {
  const { listing, navigation } = useFiles();
  const last = useRef<Resource | null>(null);
  const { guard } = navigation;
  const resource = listing.resource.value;
  const isShown = listing.status.value === "ready" && resource?.isDir === false;
  if (guard.isFree || last.current?.path !== listing.path.value) {
    last.current = isShown ? resource : null;
    return null;
  }
  const isText = resource?.type === "text" || resource?.type === "textImmutable";
  if (isShown && isText) last.current = resource;
  return last.current;
}
