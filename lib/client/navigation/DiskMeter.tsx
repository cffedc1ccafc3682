import type { Usage } from "../../shared/api_types.ts";
import { formatBytes } from "../core/format.ts";
import { useTranslation } from "../core/use_translation.ts";

/** From this part on the bar turns red. */
const NEARLY_FULL = 0.92;

/** How full the disk is, as a bar and in words. */
export function DiskMeter({ used, total }: Usage) {
  const { t, language } = useTranslation();
  const words = t("sidebar.disk", {
    used: formatBytes(used, language),
    total: formatBytes(total, language),
  });
  return (
    <div className="disk">
      <progress
        className={used / total > NEARLY_FULL ? "progress progress--failed" : "progress"}
        value={used}
        max={total}
        aria-label={words}
      />
      <span aria-hidden="true">{words}</span>
    </div>
  );
}
