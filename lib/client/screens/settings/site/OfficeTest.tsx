import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { FormError } from "../../../../../components/Fields.tsx";
import type { OfficeCheck } from "../../../../shared/schemas/office.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { isolated } from "../../../base/core/format.ts";
import { useAccount } from "../account_api.ts";

/** Tests the connection to the office server, and tells in words what was found. */
export function OfficeTest() {
  const { t } = useTranslation();
  const account = useAccount();
  const [isBusy, setBusy] = useState(false);
  const [found, setFound] = useState<OfficeCheck | null>(null);
  const [complaint, setComplaint] = useState("");
  const test = async () => {
    setBusy(true);
    const answer = await account.checkOffice();
    setBusy(false);
    setFound(answer.ok && answer.value.reason === "" ? answer.value : null);
    const reason = answer.ok ? answer.value.reason : reasonOf(t, answer);
    setComplaint(reason && t("office.test.failed", { reason: isolated(reason) }));
  };
  return (
    <>
      <FormError text={complaint} />
      <div role="status">
        {found && (
          <ul className="card__text">
            <li>{t("office.test.reached", { address: isolated(found.address) })}</li>
            <li>{t("office.test.formats", { edits: found.edits, views: found.views })}</li>
            <li>{found.isSigning ? t("office.test.signed") : t("office.test.unsigned")}</li>
            <li>{t("office.test.callback", { address: isolated(found.callback) })}</li>
          </ul>
        )}
      </div>
      <Button aria-busy={isBusy} onClick={() => isBusy || void test()}>
        {t("office.test.act")}
      </Button>
    </>
  );
}
