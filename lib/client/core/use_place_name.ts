import { nameOf } from "../../shared/path.ts";
import { useTranslation } from "./use_translation.ts";
import { useFiles } from "../navigation/use_files.ts";

/** The name of the folder or file on screen. */
export function usePlaceName(): string {
  const { t } = useTranslation();
  const { listing } = useFiles();
  return nameOf(listing.path.value) || t("files.myFiles");
}
