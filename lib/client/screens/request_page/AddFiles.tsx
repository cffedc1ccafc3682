import { RotateCw } from "lucide";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { declaredPath } from "../../base/api/api_path.ts";
import { useApi } from "../../base/core/use_site.ts";
import { SendForm } from "./SendForm.tsx";

/** The props of the place to add files. */
export interface AddFilesProps {
  /** The address of the share. */
  hash: string;
  /** In place of the share's password; "" where it has none. */
  token: string;
  /** The folder in the share. */
  path: string;
}

/** The place where a recipient adds files to a shared folder. */
export function AddFiles({ hash, token, path }: AddFilesProps) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const target = {
    calls,
    to: declaredPath("POST /api/public/tus/{path}", { path: `/${hash}${path}/` }),
    access: { query: { token: token || undefined }, byLink: true },
    sender: "",
  };
  return (
    <section className="request__desk request__desk--small" aria-labelledby="add-files">
      <h2 className="request__title" id="add-files">{t("share.add")}</h2>
      <SendForm
        target={target}
        kinds={[]}
        arrivedText={(counts) => t("share.added", counts)}
        done={
          <Button variant="primary" glyph={RotateCw} onClick={() => location.reload()}>
            {t("share.showAdded")}
          </Button>
        }
      />
    </section>
  );
}
