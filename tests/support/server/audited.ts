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

/** The same once it holds what is meant: each thread writes a moment after its answer. */
export async function activitiesOnce(
  app: TestApp,
  holds: (records: AuditRecord[]) => boolean,
): Promise<AuditRecord[]> {
  for (const end = Date.now() + 30_000;;) {
    await app.cubby.audit.flush();
    const records = await activitiesOf(app);
    if (holds(records) || Date.now() > end) return records;
  }
}
