import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { CheckField, FormError, NumberField } from "../../../../../components/Fields.tsx";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { settingBounds } from "../../../../shared/schemas/choices/setting_bounds.ts";
import type { TrashUsage } from "../../../../shared/schemas/trash.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { formatBytes, formatNumber } from "../../../base/core/format.ts";
import { useAccount } from "../account_api.ts";
import type { Fields } from "../../../base/ui/use_form.ts";

/** The settings of the trash, and how much is in it. */
export function TrashFields({ form }: { form: Fields<Settings["trash"]> }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="checks">
        <CheckField
          {...form.field("byDefault", "trashByDefault")}
          label={t("settings.trashByDefault")}
        />
        <CheckField
          {...form.field("versions", "trashVersions")}
          label={t("settings.trashVersions")}
        />
      </div>
      <div className="fields">
        <NumberField
          {...form.field("days", "trashDays")}
          {...settingBounds.trash.days}
          label={t("settings.trashDays")}
        />
        <NumberField
          {...form.field("leastFree", "trashFree")}
          {...settingBounds.trash.leastFree}
          label={t("settings.trashFree")}
          hint={t("settings.trashFreeHint")}
        />
      </div>
      <TrashUsed />
    </>
  );
}

/** How much the trash of each user holds. */
function TrashUsed() {
  const { t } = useTranslation();
  const account = useAccount();
  const [usage, setUsage] = useState<TrashUsage | null>(null);
  const [complaint, setComplaint] = useState("");
  const [busy, setBusy] = useState(false);

  const ask = async (signal?: AbortSignal) => {
    setBusy(true);
    const answer = await account.trashUsage(signal);
    if (!answer.ok && answer.code === "aborted") return;
    setBusy(false);
    setComplaint(answer.ok ? "" : reasonOf(t, answer));
    if (answer.ok) setUsage(answer.value);
  };
  useEffect(() => {
    const leaving = new AbortController();
    void ask(leaving.signal);
    return () => leaving.abort();
  }, []);

  return (
    <section className="used" aria-labelledby="trash-used" aria-busy={busy}>
      <h3 className="field__label" id="trash-used">{t("trash.used")}</h3>
      <FormError text={complaint} />
      {usage?.users.length === 0 && <p className="field__hint">{t("trash.emptyTitle")}</p>}
      {usage !== null && usage.users.length > 0 && <UsageTable users={usage.users} />}
      {(usage?.isPartial || complaint) && (
        <div className="used__rest">
          {usage?.isPartial && <p className="field__hint" role="status">{t("trash.partial")}</p>}
          <Button aria-busy={busy} onClick={() => busy || void ask()}>
            {t("buttons.calculate")}
          </Button>
        </div>
      )}
    </section>
  );
}

function UsageTable({ users }: Pick<TrashUsage, "users">) {
  const { t, i18n: { language } } = useTranslation();
  const columns = [t("login.username"), t("trash.entries"), t("files.column.size")] as const;
  return (
    <table className="table">
      <thead>
        <tr>
          {columns.map((words) => <th key={words} scope="col">{words}</th>)}
        </tr>
      </thead>
      <tbody>
        {users.map(({ id, name, entries, bytes }) => (
          <tr key={id}>
            <td className="table__main">
              <bdi>{name ?? t("trash.goneUser")}</bdi>
            </td>
            <td data-label={columns[1]}>{formatNumber(entries, language)}</td>
            <td data-label={columns[2]}>{formatBytes(bytes, language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
