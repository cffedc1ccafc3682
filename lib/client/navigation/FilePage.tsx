import { FileFacts } from "./FileFacts.tsx";
import { parsePath } from "../../shared/path.ts";
import type { Entry } from "../../shared/api_types.ts";
import { formatBytes, formatExact } from "../core/format.ts";
import { type Clock, useClock } from "../core/use_clock.ts";
import { useMay } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";

interface FilePageProps {
  entry: Entry;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** One file by itself. */
export function FilePage({ entry, clock }: FilePageProps) {
  const { t, language } = useTranslation();
  const api = useApi();
  const { timeZone } = useClock(clock);
  const download = api.rawAddress(parsePath(entry.path).path);
  const mayRead = useMay()("download");
  const isThere = entry.type !== "invalid_link";
  return (
    <FileFacts
      entry={entry}
      size={formatBytes(entry.size, language)}
      modified={formatExact(entry.modified, language, timeZone)}
      links={mayRead && isThere ? { download, open: `${download}?inline=true` } : undefined}
      note={isThere ? mayRead ? undefined : t("preview.forbidden") : t("info.kinds.link")}
    />
  );
}
