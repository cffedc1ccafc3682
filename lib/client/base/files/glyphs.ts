import {
  Copy,
  Download,
  FolderInput,
  FolderPlus,
  type IconNode,
  Images,
  Inbox,
  Info,
  LayoutGrid,
  List,
  Pencil,
  Share2,
  Trash2,
} from "lucide";
import type { ViewMode } from "../../../shared/schemas/choices/choices.ts";

/** The icons of the commands that have a button. */
export const COMMAND_GLYPHS = {
  download: Download,
  share: Share2,
  rename: Pencil,
  moveTo: FolderInput,
  copyTo: Copy,
  info: Info,
  delete: Trash2,
  newFolder: FolderPlus,
  requestFiles: Inbox,
} satisfies Record<string, IconNode>;

/** The icon of each view mode. */
export const VIEW_GLYPHS: Record<ViewMode, IconNode> = {
  list: List,
  mosaic: LayoutGrid,
  "mosaic gallery": Images,
};
