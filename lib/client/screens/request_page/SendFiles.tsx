import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../../components/Fields.tsx";
import type { OpenRequest } from "../../../shared/api_types.ts";
import { declaredPath } from "../../base/api/api_path.ts";
import { useApi } from "../../base/core/use_site.ts";
import { SendForm } from "./SendForm.tsx";

/** The place to drop files for a request, under the name of who sends them. */
export function SendFiles({ request }: { request: OpenRequest }) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const [sender, setSender] = useState("");
  if (request.isFull) return <p className="request__done">{t("request.full")}</p>;
  const { hash, kinds, token } = request;
  const to = declaredPath("POST /api/public/request/{hash}/files", { hash });
  const access = { anonymous: true, headers: { "x-request-token": token } };
  return (
    <div className="request__desk">
      <TextField
        name="sender"
        label={t("request.sender")}
        hint={t("request.senderHint")}
        autoComplete="name"
        maxLength={80}
        value={sender}
        onChange={setSender}
      />
      <SendForm
        target={{ calls, to, access, sender }}
        kinds={kinds}
        arrivedText={(counts) => t("request.arrived", counts)}
      />
    </div>
  );
}
