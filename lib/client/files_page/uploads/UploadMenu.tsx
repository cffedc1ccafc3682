import { FolderUp, Upload } from "lucide";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { FileInput } from "../../../../components/FileInput.tsx";
import { Menu, MenuItem } from "../../../../components/Menu.tsx";
import { readInput } from "../drag/dropped.ts";
import { useFiles } from "../../base/files/use_files.ts";

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
  const folder = useRef<HTMLInputElement>(null);
  const upload = (chosen: File[]) => void uploads.add(listing.path.peek(), readInput(chosen));

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
      <FileInput data-chooses="files" label={t("buttons.uploadFiles")} onChoose={upload} />
      <FileInput
        folder
        inputRef={folder}
        label={t("buttons.uploadFolder")}
        onChoose={upload}
      />
    </>
  );
}
