import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AuditPage } from "../../../../shared/schemas/audit.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { useAccount } from "../account_api.ts";

/** Most records that are shown at once: a log has millions, and each is a row of the document. */
const MOST_SHOWN = 100;

/** The part of the log that is shown, and the ways to its neighbours. */
export interface Activities extends AuditPage {
  /** There are later ones. */
  newer: boolean;
  busy: boolean;
  /** Why the last one could not be read; empty otherwise. */
  complaint: string;
  goOlder(): Promise<void>;
  goNewer(): Promise<void>;
}

/**
 * Reads the activity log part by part. What a slow search has found so far is kept, and added to,
 * as long as it is less than a part.
 *
 * @param query as of `GET /api/audit`
 * @param first the latest part
 */
export function useActivities(query: string, first: AuditPage): Activities {
  const { t } = useTranslation();
  const account = useAccount();
  const [shown, setShown] = useState(first);
  /** Where the parts before this one begin, and this one: the latest has no number. */
  const [starts, setStarts] = useState<readonly (number | null)[]>([null]);
  const [busy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState("");
  const isUnderWay = useRef(false);

  const read = async (before: number | null): Promise<AuditPage | null> => {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setBusy(true);
    const answer = await account.activity(before === null ? query : `${query}&before=${before}`);
    isUnderWay.current = false;
    setBusy(false);
    setComplaint(answer.ok ? "" : reasonOf(t, answer));
    return answer.ok ? answer.value : null;
  };
  const show = (part: AuditPage) => {
    setShown(part);
    document.getElementById("activity-title")?.scrollIntoView({ block: "nearest" });
  };
  return {
    ...shown,
    newer: starts.length > 1,
    busy,
    complaint,
    async goOlder() {
      const part = await read(shown.next);
      if (!part) return;
      const records = [...shown.records, ...part.records];
      if (records.length <= MOST_SHOWN) return setShown({ ...part, records });
      setStarts([...starts, shown.next]);
      show(part);
    },
    async goNewer() {
      const part = await read(starts.at(-2) ?? null);
      if (!part) return;
      setStarts(starts.slice(0, -1));
      show(part);
    },
  };
}
