import { useTranslation } from "react-i18next";
import { Card } from "../../../../../components/Card.tsx";
import { TextField } from "../../../../../components/Fields.tsx";
import { CopyButton } from "../../../files_page/info/CopyButton.tsx";

/** Tells the address by which programs use the files as a network drive. */
export function DriveCard({ address }: { address: string }) {
  const { t } = useTranslation();
  return (
    <Card id="drive" title={t("drive.title")} text={t("drive.text")}>
      <TextField
        name="drive"
        label={t("drive.address")}
        value={address}
        dir="ltr"
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        end={<CopyButton label={t("drive.copyAddress")} text={address} />}
      />
    </Card>
  );
}
