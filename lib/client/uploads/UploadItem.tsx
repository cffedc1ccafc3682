import { CircleAlert, File, Folder, RotateCw, X } from "lucide";
import type { UploadStatus } from "./upload_job.ts";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";
import { Icon } from "../../../components/Icon.tsx";

interface UploadItemProps {
  name: string;
  folder: boolean;
  status: UploadStatus;
  /** From 0 to 100. */
  percent: number;
  /** What stands beside the name: how far it is, or what it waits for. */
  figure: string;
  /** Where it goes, for who points at the name. */
  path: string;
  /** How fast it goes, or why it failed. */
  detail?: string;
  onCancel: () => void;
  /** Absent where to try again makes no sense. */
  onRetry?: () => void;
}

/** One file on its way to the server: how far it is, and the ways to stop it or try again. */
export function UploadItem(
  { name, path, folder, status, percent, figure, detail, onCancel, onRetry }: UploadItemProps,
) {
  const { t } = useTranslation();
  const failed = status === "failed";
  return (
    <li className="upload" data-status={status}>
      <span className="upload__sign">
        <Icon glyph={failed ? CircleAlert : folder ? Folder : File} />
      </span>
      <div className="upload__words">
        <p className="upload__line">
          <span className="upload__name" title={path} dir="auto">{name}</span>
          <span className="upload__figure">{figure}</span>
        </p>
        {!failed && <progress className="progress" value={percent} max={100} aria-label={name} />}
        {detail && <p className="upload__detail" title={detail}>{detail}</p>}
      </div>
      <div className="upload__acts">
        {!failed && (
          <IconButton label={t("uploads.cancelOne", { name })} glyph={X} onClick={onCancel} />
        )}
        {failed && onRetry && (
          <IconButton label={t("uploads.retryOne", { name })} glyph={RotateCw} onClick={onRetry} />
        )}
      </div>
    </li>
  );
}
