import { useTranslation } from "../core/use_translation.ts";

const LINES = Array.from({ length: 16 }, (_, index) => index);

interface FileSkeletonProps {
  /** Lines of text are on their way, rather than something to look at. */
  isText: boolean;
}

/** Grey bars in the shape of a text, or an empty frame: what is shown until a file can be. */
export function FileSkeleton({ isText }: FileSkeletonProps) {
  const { t } = useTranslation();
  return (
    <div className={isText ? "file-bones" : "file-bones file-bones--frame"} role="status">
      <span className="unseen">{t("files.loading")}</span>
      {isText && LINES.map((line) => <div className="bone" key={line} />)}
    </div>
  );
}
