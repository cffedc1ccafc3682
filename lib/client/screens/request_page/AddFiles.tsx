import { RotateCw } from "lucide";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { encodePath, parsePath } from "../../../shared/path.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useSession } from "../../base/core/use_site.ts";
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
  const { BaseURL } = usePage().data.config;
  const { calls } = useApi();
  const session = useSession();
  const folder = encodePath(parsePath(path).path, { folder: true });
  const target = {
    url: `${BaseURL}/api/public/tus/${encodeURIComponent(hash)}${folder}`,
    enter: (address: string) => {
      if (token === "") return address;
      return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams({ token })}`;
    },
    headers: () => calls.headers({}),
    sender: "",
    onAnswer: (answer: { status: number; renewToken: string | null }) => {
      // 401 is about the password of the share: a session that has ended finds no share.
      if (answer.status !== 401) calls.observeResponse(answer, session.current());
    },
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
