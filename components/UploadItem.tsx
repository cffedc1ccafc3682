import { Ban, CircleAlert, CircleCheck, File, type IconNode, RotateCw, X } from "lucide";
import { useTranslation } from "../lib/i18n/use_translation.ts";
import { IconButton } from "./Button.tsx";
import { Icon } from "./Icon.tsx";

/** How far one upload has come. */
export type UploadState = "waiting" | "sending" | "done" | "failed" | "cancelled";

const SIGNS: Record<UploadState, IconNode> = {
  waiting: File,
  sending: File,
  done: CircleCheck,
  failed: CircleAlert,
  cancelled: Ban,
};

interface UploadItemProps {
  name: string;
  state: UploadState;
  /** From 0 to 100. */
  percent: number;
  /** What stands beside the name: how far it is, how large it was, or what became of it. */
  figure: string;
  complaint?: string;
  onCancel: () => void;
  onRetry: () => void;
}

/** One file on its way to the server: how far it is, and the ways to stop it or try again. */
export function UploadItem(
  { name, state, percent, figure, complaint, onCancel, onRetry }: UploadItemProps,
) {
  const { t } = useTranslation();
  const underWay = state === "waiting" || state === "sending";
  return (
    <li className="upload" data-state={state}>
      <span className="upload__sign">
        <Icon glyph={SIGNS[state]} />
      </span>
      <div className="upload__words">
        <p className="upload__line">
          <span className="upload__name" title={name}>{name}</span>
          <span className="upload__figure">{figure}</span>
        </p>
        {underWay && <progress className="progress" value={percent} max={100} aria-label={name} />}
        {complaint && <p className="upload__complaint">{complaint}</p>}
      </div>
      <div className="upload__acts">
        {underWay && (
          <IconButton label={t("uploads.cancelOne", { name })} glyph={X} onClick={onCancel} />
        )}
        {(state === "failed" || state === "cancelled") && (
          <IconButton label={t("uploads.retryOne", { name })} glyph={RotateCw} onClick={onRetry} />
        )}
      </div>
    </li>
  );
}
