import { useEffect, useState } from "react";
import { ROOT } from "../lib/access/path.ts";
import type { Usage } from "../lib/api_types.ts";
import { formatBytes } from "../lib/client/format.ts";
import { useFiles } from "../lib/client/use_files.ts";
import { useApi } from "../lib/client/use_site.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";

/** How full the disk is: asked for once the page stands, and again after uploads. */
export function DiskMeter() {
  const { t, language } = useTranslation();
  const api = useApi();
  const { uploads } = useFiles();
  const [usage, setUsage] = useState<Usage | null>(null);
  const busy = uploads.now.value.phase === "busy";

  useEffect(() => {
    if (busy) return;
    const leaving = new AbortController();
    void api.usage(ROOT, leaving.signal).then((answer) => answer.ok && setUsage(answer.value));
    return () => leaving.abort();
  }, [api, busy]);

  if (!usage || usage.total === 0) return <div className="disk" hidden />;
  const { used, total } = usage;
  const words = t("sidebar.disk", {
    used: formatBytes(used, language),
    total: formatBytes(total, language),
  });
  return (
    <div className="disk">
      <progress
        className={used / total > 0.92 ? "progress progress--failed" : "progress"}
        value={used}
        max={total}
        aria-label={words}
      />
      <span aria-hidden="true">{words}</span>
    </div>
  );
}
