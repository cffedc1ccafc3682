import { type IconNode, Images, LayoutGrid, List } from "lucide";
import type { ViewMode } from "../../shared/api_types.ts";

/** The picture of each way to show a folder. */
export const VIEW_GLYPHS: Record<ViewMode, IconNode> = {
  list: List,
  mosaic: LayoutGrid,
  "mosaic gallery": Images,
};
