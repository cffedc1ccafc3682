import { useEffect, useState } from "react";
import { ROOT } from "../access/path.ts";
import type { Usage } from "../api_types.ts";
import { useFiles } from "./use_files.ts";
import { useApi } from "./use_site.ts";

/** How full the disk is: asked for once the page stands, and again after uploads; null until known. */
export function useDiskUsage(): Usage | null {
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
  return usage;
}
