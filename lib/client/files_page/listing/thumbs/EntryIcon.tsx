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
import type { ThumbKind } from "../../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { type EntryKind, entryKind } from "../../../../shared/entry_kind.ts";
import { Icon } from "../../../../../components/Icon.tsx";
import { usePage } from "../../../base/core/page.ts";
import { useMay } from "../../../base/core/use_site.ts";

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

/** Whether an entry is shown whole among photos, where others are squares with a name. */
export function isPhoto({ type }: Pick<Entry, "type">): boolean {
  return type === "image" || type === "video";
}

/** Whether an entry may be a text, whose beginning stands in its tile. */
export function isText({ type, size }: Pick<Entry, "type" | "size">): boolean {
  return size > 0 && (type === "text" || type === "textImmutable");
}

/**
 * Returns whether an entry can have a thumbnail, of which the user may see the content.
 *
 * @param folders whether folders have one as well: of four of their pictures, which is slow
 * @param texts whether texts have one: their beginning. Visitors of a share would download that.
 */
export function usePictured(folders: boolean, texts = false): (entry: Entry) => boolean {
  const { config: { ThumbKinds }, share } = usePage().data;
  const may = useMay()("download");
  const kinds: readonly string[] = may ? ThumbKinds : [];
  const hasTexts = texts && !share && kinds.length > 0;
  return (entry) =>
    entry.isDir
      ? folders && kinds.includes("folder" satisfies ThumbKind)
      : isText(entry)
      ? hasTexts
      : entry.size > 0 && kinds.includes(entry.type);
}
