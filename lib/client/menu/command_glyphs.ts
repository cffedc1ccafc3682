import {
  Copy,
  Download,
  FolderInput,
  FolderPlus,
  type IconNode,
  Info,
  Pencil,
  Share2,
  Trash2,
} from "lucide";

/** The pictures of the commands that have a button of their own. */
export const COMMAND_GLYPHS = {
  download: Download,
  share: Share2,
  rename: Pencil,
  moveTo: FolderInput,
  copyTo: Copy,
  info: Info,
  delete: Trash2,
  newFolder: FolderPlus,
} satisfies Record<string, IconNode>;
