import type { Entry, ThumbKind } from "../../../../shared/api_types.ts";
import { usePage } from "../../../base/core/page.ts";
import { useMay } from "../../../base/core/use_site.ts";

/**
 * Returns whether an entry can have a thumbnail, of which the user may see the content.
 *
 * @param folders whether folders have one as well: of four of their pictures, which is slow
 */
export function usePictured(folders: boolean): (entry: Entry) => boolean {
  const { ThumbKinds } = usePage().data.config;
  const may = useMay()("download");
  const kinds: readonly string[] = may ? ThumbKinds : [];
  return ({ type, isDir, size }) =>
    isDir
      ? folders && kinds.includes("folder" satisfies ThumbKind)
      : size > 0 && kinds.includes(type);
}
