import { FileX, Unplug } from "lucide";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { ErrorScreen, StatusScreen } from "../../../../components/StatusScreen.tsx";
import { displayName } from "../../../shared/entry_names.ts";
import { parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { usePage } from "../../base/core/page.ts";
import { DownloadLink } from "../preview/Content.tsx";
import type { Trouble } from "./office_session.ts";

interface OfficeFailureProps {
  entry: Entry;
  trouble: Trouble;
  onRetry: () => void;
}

/** Why a document is not open, and the ways out. Administrators are told more. */
export function OfficeFailure({ entry, trouble, onRetry }: OfficeFailureProps) {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const isAdmin = user?.perm.admin === true;
  const ways = (
    <>
      <Button variant="primary" onClick={onRetry}>{t("buttons.retry")}</Button>
      {isAdmin && (
        <a className="button" href={`${config.BaseURL}/settings/check#feature-office`}>
          {t("first.check")}
        </a>
      )}
    </>
  );
  if (trouble.is === "refused" && trouble.why.code === "not_supported") {
    return (
      <StatusScreen
        glyph={FileX}
        title={t("office.noEditor")}
        text={t("office.noEditorText", { name: displayName(entry.name) })}
      >
        <DownloadLink path={parsePath(entry.path).path} />
      </StatusScreen>
    );
  }
  if (trouble.is === "refused" && trouble.why.code !== "busy") {
    return <ErrorScreen status={trouble.why.status}>{ways}</ErrorScreen>;
  }
  const reason = !isAdmin
    ? t("office.awayText")
    : trouble.is === "refused"
    ? trouble.why.message
    : trouble.is === "elsewhere"
    ? t("office.elsewhere", { origin: trouble.origin })
    : t("office.unreached");
  return (
    <StatusScreen variant="error" glyph={Unplug} title={t("office.away")} text={reason}>
      {ways}
    </StatusScreen>
  );
}

/** Tells above a document that something is wrong with its editor. */
export function OfficeNotice({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="office__notice" role="alert">
      <p>{text}</p>
      <Button onClick={onRetry}>{t("buttons.retry")}</Button>
    </div>
  );
}
