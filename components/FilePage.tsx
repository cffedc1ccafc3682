import { FileFacts } from "./FileFacts.tsx";
import { parsePath } from "../lib/access/path.ts";
import type { Entry } from "../lib/api_types.ts";
import { formatBytes, formatExact } from "../lib/client/format.ts";
import { type Clock, useClock } from "../lib/client/use_clock.ts";
import { useMay } from "../lib/client/page.ts";
import { useApi } from "../lib/client/use_site.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";

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
      size={isThere ? formatBytes(entry.size, language) : undefined}
      modified={formatExact(entry.modified, language, timeZone)}
      links={mayRead && isThere ? { download, open: `${download}?inline=true` } : undefined}
      note={isThere ? mayRead ? undefined : t("preview.forbidden") : t("info.kinds.link")}
    />
  );
}
