import type { Child } from "../../core/access/folder_visibility.ts";
import { foldText } from "../../../shared/fold.ts";
import { type Needle, needleOf } from "../../core/disk/directory_records.ts";
import { ARCHIVES, DOCUMENTS } from "../../../shared/file_kinds.ts";
import { extensionOf, typeOfName } from "../content/types.ts";
import type { Query } from "./query.ts";

/** A query prepared for matching many names. */
export interface NameTest {
  /** Whether a name matches all terms, and can be of the type. */
  matches(name: string): boolean;
  /** A text that every matching name holds, if there is one. */
  needle: Needle | undefined;
  /** Whether the entry's type matches: of folders only "folder" does, of broken links none. */
  typeMatches(child: Child): boolean;
}

/** Prepares a query. */
export function nameTestOf({ terms, isCaseSensitive, types }: Query): NameTest {
  const fold = isCaseSensitive ? (text: string) => text.normalize("NFC") : foldText;
  const wanted = terms.map(fold);
  const hasType = typeTestOf(types);
  const takesFolders = types.includes("folder");
  // The longest is the rarest.
  const [text] = wanted.toSorted((a, b) => b.length - a.length);
  return {
    needle: text ? needleOf(text, !isCaseSensitive) : undefined,
    matches(name) {
      const text = fold(name);
      return wanted.every((term) => text.includes(term)) && (takesFolders || hasType(name));
    },
    typeMatches({ name, isFolder, target }) {
      if (types.length === 0) return true;
      if (isFolder) return takesFolders;
      return (target === null || target.kind === "inside") && (!takesFolders || hasType(name));
    },
  };
}

function typeTestOf(types: string[]): (name: string) => boolean {
  if (types.length === 0) return () => true;
  const endings = types.filter((type) => type.startsWith(".")).map(foldText);
  const kinds = new Set<string | undefined>(types.filter((type) => !type.startsWith(".")));
  const isOfKind = (name: string) => {
    const extension = extensionOf(name).slice(1);
    return kinds.has("document") && DOCUMENTS.has(extension) ||
      kinds.has("archive") && ARCHIVES.has(extension);
  };
  return (name) => {
    if (kinds.size > 0 && (kinds.has(typeOfName(name)) || isOfKind(name))) return true;
    const text = endings.length > 0 ? foldText(name) : "";
    return endings.some((ending) => text.length > ending.length && text.endsWith(ending));
  };
}
