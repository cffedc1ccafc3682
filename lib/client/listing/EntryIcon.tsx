import {
  File,
  FileArchive,
  FileCode2,
  FileText,
  Film,
  Folder,
  FolderSymlink,
  type IconNode,
  Image,
  Music,
  ScrollText,
  Unlink,
} from "lucide";
import type { Entry } from "../../shared/api_types.ts";
import { type EntryKind, entryKind } from "./entry_kind.ts";
import { Icon } from "../../../components/Icon.tsx";

const GLYPHS: Record<EntryKind, IconNode> = {
  folder: Folder,
  image: Image,
  audio: Music,
  video: Film,
  pdf: ScrollText,
  text: FileText,
  code: FileCode2,
  archive: FileArchive,
  blob: File,
  link: Unlink,
};

interface EntryIconProps {
  entry: Pick<Entry, "type" | "isDir" | "isSymlink" | "extension">;
}

/** The small picture before a name: a folder, or a tile tinted by the kind of file. */
export function EntryIcon({ entry }: EntryIconProps) {
  const kind = entryKind(entry);
  const linked = kind === "folder" && entry.isSymlink;
  const glyph = linked ? FolderSymlink : GLYPHS[kind];
  return <Icon className="entry-icon" data-kind={kind} glyph={glyph} />;
}
