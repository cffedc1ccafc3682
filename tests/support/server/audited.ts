import type { AuditLevel } from "../../../lib/shared/schemas/choices/audit_choices.ts";
import type { AuditPage, AuditRecord } from "../../../lib/shared/schemas/audit.ts";
import type { TestApp } from "./app.ts";

/** Switches the activity log of an application. */
export async function keepActivity({ cubby }: TestApp, level: AuditLevel): Promise<void> {
  await cubby.settings.update({ ...await cubby.settings.get(), audit: { level, days: 365 } });
}

/** What the log holds, the latest first, as an administrator asks for it. */
export async function activitiesOf(app: TestApp, query = ""): Promise<AuditRecord[]> {
  const token = await app.tokenOf("admin");
  const answer = await app.call("GET", `/api/audit?limit=500&${query}`, { token });
  const { records }: AuditPage = await answer.json();
  return records;
}
