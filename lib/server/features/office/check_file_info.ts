import type { ContentInfo } from "../../files/content/open_content.ts";

/** The facts that {@linkcode checkFileInfo} tells. */
export interface DocumentFacts {
  file: Pick<ContentInfo, "name" | "size" | "modified" | "etag">;
  user: { id: string; name: string };
  /** The user has no account here. */
  isAnonymous: boolean;
  /** The origin of the page around the editor. */
  origin: string;
  mayEdit: boolean;
  mayRename: boolean;
  mayShare: boolean;
  /** It is shown, and is not to be saved, copied or printed. */
  isViewOnly: boolean;
}

/** The longest name of a file, in characters, without its extension. */
const maxNameLength = 240;

/** The version of a file for the office server: each save has another one. */
export function versionOf({ etag }: Pick<ContentInfo, "etag">): string {
  return etag.replaceAll('"', "");
}

/**
 * The answer to CheckFileInfo. Besides what every client of WOPI reads, it has what Collabora Online
 * adds; each ignores what it does not know.
 */
export function checkFileInfo(
  { file, user, isAnonymous, origin, mayEdit, mayRename, mayShare, isViewOnly }: DocumentFacts,
): Record<string, string | number | boolean> {
  return {
    BaseFileName: file.name,
    Size: file.size,
    Version: versionOf(file),
    LastModifiedTime: file.modified.toISOString(),
    // Files have no owner here whom all who open them would see alike.
    OwnerId: "cubby",
    UserId: user.id,
    UserFriendlyName: user.name,
    IsAnonymousUser: isAnonymous,
    UserCanWrite: mayEdit,
    ReadOnly: !mayEdit,
    UserCanRename: mayRename,
    UserCanNotWriteRelative: true,
    SupportsUpdate: true,
    SupportsLocks: true,
    SupportsGetLock: true,
    SupportsExtendedLockLength: true,
    SupportsRename: true,
    FileNameMaxLength: maxNameLength,
    PostMessageOrigin: origin,
    ClosePostMessage: true,
    FileSharingPostMessage: mayShare,
    EnableShare: mayShare,
    EnableInsertRemoteImage: false,
    DisablePrint: isViewOnly,
    DisableExport: isViewOnly,
    DisableCopy: isViewOnly,
    // ONLYOFFICE Docs reads this in place of `DisableCopy`.
    ...isViewOnly && { CopyPasteRestrictions: "BlockAll" },
    HidePrintOption: isViewOnly,
    HideExportOption: isViewOnly,
  };
}
