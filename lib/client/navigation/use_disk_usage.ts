import { useEffect, useState } from "react";
import { ROOT } from "../../shared/path.ts";
import type { Usage } from "../../shared/api_types.ts";
import { useApi } from "../core/use_site.ts";

/**
 * How full the disk is: asked for once the page stands, and again after uploads; null until known.
 *
 * @param busy uploads are under way
 */
export function useDiskUsage(busy = false): Usage | null {
  const api = useApi();
  const [usage, setUsage] = useState<Usage | null>(null);

  useEffect(() => {
    if (busy) return;
    const leaving = new AbortController();
    void api.usage(ROOT, leaving.signal).then((answer) => answer.ok && setUsage(answer.value));
    return () => leaving.abort();
  }, [api, busy]);
  return usage;
}
