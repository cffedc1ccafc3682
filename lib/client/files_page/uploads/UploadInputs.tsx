import { useTranslation } from "react-i18next";
import { FileInput } from "../../../../components/FileInput.tsx";
import { readInput } from "../drag/dropped.ts";
import { useFiles } from "../../base/files/use_files.ts";

/** The inputs that open the browser's dialogs for files and for a folder. */
export function UploadInputs() {
  const { t } = useTranslation();
  const { listing, uploads } = useFiles();
  const upload = (chosen: File[]) => void uploads.add(listing.path.peek(), readInput(chosen));
  return (
    <>
      <FileInput data-chooses="files" label={t("commands.uploadFiles")} onChoose={upload} />
      <FileInput
        folder
        data-chooses="folder"
        label={t("commands.uploadFolder")}
        onChoose={upload}
      />
    </>
  );
}
