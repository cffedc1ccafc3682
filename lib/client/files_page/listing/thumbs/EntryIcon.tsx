import {
  AppWindow,
  Book,
  Disc,
  File,
  FileArchive,
  FileCode2,
  FileSpreadsheet,
  FileText,
  FileType,
  Film,
  Folder,
  type IconNode,
  Image,
  Music,
  NotepadText,
  Presentation,
  Unlink,
} from "lucide";
import type { Entry } from "../../../../shared/api_types.ts";
import { type EntryKind, entryKind } from "../../../../shared/entry_kind.ts";
import { Icon } from "../../../../../components/Icon.tsx";

const GLYPHS: Record<EntryKind, IconNode> = {
  folder: Folder,
  image: Image,
  audio: Music,
  video: Film,
  pdf: FileText,
  document: FileType,
  sheet: FileSpreadsheet,
  slides: Presentation,
  book: Book,
  text: NotepadText,
  code: FileCode2,
  archive: FileArchive,
  disk: Disc,
  program: AppWindow,
  blob: File,
  link: Unlink,
};

/** lucide's own is not closed, and its fill would run over the gap. */
const LINKED_FOLDER: IconNode = [...Folder, ["path", { d: "M8 13h6m-3 3 3-3-3-3" }]];

interface EntryIconProps {
  entry: Pick<Entry, "type" | "isDir" | "isSymlink" | "extension">;
}

/** The small picture before a name: a folder, or a tile tinted by the kind of file. */
export function EntryIcon({ entry }: EntryIconProps) {
  const kind = entryKind(entry);
  const linked = kind === "folder" && entry.isSymlink;
  const glyph = linked ? LINKED_FOLDER : GLYPHS[kind];
  return <Icon className="entry-icon" data-kind={kind} glyph={glyph} />;
}
