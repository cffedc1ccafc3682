import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Usage } from "../../../../shared/schemas/entry.ts";
import { formatBytes } from "../../../base/core/format.ts";
import { quotaShare, quotaWords } from "../../../base/api/reasons.ts";
import { usePage } from "../../../base/core/page.ts";
import { ROOT } from "../../../../shared/path.ts";
import { useApi } from "../../../base/core/use_site.ts";

/** From this usage on the bar turns red. */
const NEARLY_FULL = 0.92;

/** The usage of the disk, or of the user's quota, as a bar and as text. */
export function UsageMeter({ used, total, quota }: Usage) {
  const { t, i18n: { language } } = useTranslation();
  const words = quota ? quotaWords(t, quota, language) : t("sidebar.disk", {
    used: formatBytes(used, language),
    total: formatBytes(total, language),
  });
  const share = quota ? quotaShare(quota) : used / total;
  return (
    <div className="disk">
      <progress
        className={share > NEARLY_FULL ? "progress progress--failed" : "progress"}
        value={Math.min(share, 1)}
        max={1}
        aria-label={quota ? `${t("quota.title")}: ${words}` : words}
      />
      <span aria-hidden="true">{words}</span>
    </div>
  );
}

/**
 * Disk usage: that of the page, or fetched after it has loaded, and fetched again after uploads;
 * null until known, and where the settings hide it.
 *
 * @param busy uploads are under way
 */
export function useDiskUsage(busy = false): Usage | null {
  const api = useApi();
  const { config: { DisableUsedPercentage: isHidden }, usage: first } = usePage().data;
  const [usage, setUsage] = useState<Usage | null>(first ?? null);
  const isKnown = useRef(first !== undefined);

  useEffect(() => {
    if (busy || isHidden || isKnown.current) return void (isKnown.current = false);
    const leaving = new AbortController();
    void api.usage(ROOT, leaving.signal).then((answer) => answer.ok && setUsage(answer.value));
    return () => leaving.abort();
  }, [api, busy, isHidden]);
  return usage;
}
