import type { TFunction } from "i18next";
import { type EntryPath, nameOf } from "../../shared/path.ts";

/** The document's title in the files area: the name of the folder or file, then the route's name. */
export function filesTitle(t: TFunction, at: EntryPath): string {
  return `${nameOf(at) || t("files.myFiles")} - ${t("files.area")}`;
}
