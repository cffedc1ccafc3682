import { FolderUp, Upload } from "lucide";
import { useRef } from "react";
import { Menu, MenuItem } from "../../../components/Menu.tsx";
import { readInput } from "../drag/dropped.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useTranslation } from "../core/use_translation.ts";

/** The id of the upload menu, which is rendered apart from its button in the header. */
export const UPLOAD_MENU = "upload-menu";

/** Lets the user choose files to upload into the open folder. */
export function chooseFiles(): void {
  document.querySelector<HTMLInputElement>("[data-chooses=files]")?.click();
}

/** The menu of an upload button: files, or a whole folder, chosen in the browser's dialog. */
export function UploadMenu() {
  const { t } = useTranslation();
  const { listing, uploads } = useFiles();
  const folder = useRef<HTMLInputElement | null>(null);

  const takesFolders = (input: HTMLInputElement | null) => {
    folder.current = input;
    input?.setAttribute("webkitdirectory", "");
  };
  const take = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    if (input.files) void uploads.add(listing.path.peek(), readInput(input.files));
    // Reset, so that the same file can be chosen again.
    input.value = "";
  };

  return (
    <>
      <Menu id={UPLOAD_MENU} label={t("buttons.upload")} title={t("buttons.upload")}>
        <MenuItem glyph={Upload} onClick={chooseFiles}>
          {t("buttons.uploadFiles")}
        </MenuItem>
        <MenuItem glyph={FolderUp} onClick={() => folder.current?.click()}>
          {t("buttons.uploadFolder")}
        </MenuItem>
      </Menu>
      <input
        type="file"
        multiple
        hidden
        data-chooses="files"
        aria-label={t("buttons.uploadFiles")}
        onChange={take}
      />
      <input
        ref={takesFolders}
        type="file"
        hidden
        data-chooses="folder"
        aria-label={t("buttons.uploadFolder")}
        onChange={take}
      />
    </>
  );
}
