import { useEffect, useRef, useState } from "react";
import { formatBytes } from "../core/format.ts";
import { formatLeft } from "../core/format_left.ts";
import { reasonOf } from "../api/reasons.ts";
import type { UploadRow } from "./upload_job.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useTranslation } from "../core/use_translation.ts";
import { UploadItem } from "./UploadItem.tsx";

/** How many rows are drawn beyond what is in view. */
const OVERSCAN = 4;

/** The uploads one by one, of which only those in view are in the document. */
export function UploadList() {
  const { t, language } = useTranslation();
  const { uploads } = useFiles();
  const { rows, from, listed } = uploads.now.value;
  const scroller = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);

  const look = () => {
    const list = scroller.current;
    const row = list?.querySelector<HTMLElement>(".upload")?.offsetHeight ?? 0;
    if (!list || row === 0) return;
    setHeight(row);
    const first = Math.floor(list.scrollTop / row) - OVERSCAN;
    const count = Math.ceil(list.clientHeight / row) + 2 * OVERSCAN;
    uploads.list(Math.max(0, first), Math.max(0, first) + count);
  };
  useEffect(look, []);

  const figureOf = ({ status, percent, left }: UploadRow) => {
    if (status !== "sending") return t(`uploads.state.${status}`);
    const figure = t("uploads.percent", { percent });
    return left === null
      ? figure
      : `${figure} · ${t("uploads.left", { time: formatLeft(left, language) })}`;
  };
  const detailOf = ({ status, rate, failure }: UploadRow) => {
    if (failure) return reasonOf(t, failure);
    return status === "sending" && rate !== null
      ? t("uploads.rate", { size: formatBytes(Math.round(rate), language) })
      : undefined;
  };

  return (
    <div className="uploads__list" ref={scroller} onScroll={look}>
      <ul
        style={{
          paddingBlockStart: `${from * height}px`,
          paddingBlockEnd: `${Math.max(0, listed - from - rows.length) * height}px`,
        }}
      >
        {rows.map((row) => (
          <UploadItem
            key={row.id}
            name={row.name}
            path={row.path}
            folder={row.isFolder}
            status={row.status}
            percent={row.percent}
            figure={figureOf(row)}
            detail={detailOf(row)}
            onCancel={() => uploads.cancel(row.id)}
            onRetry={row.isHopeless ? undefined : () => uploads.retry(row.id)}
          />
        ))}
      </ul>
    </div>
  );
}
