import { KeyRound } from "lucide";
import { useTranslation } from "react-i18next";
import type { Clock } from "../../../../shared/clock.ts";
import type { PasskeyInfo } from "../../../../shared/schemas/passkeys.ts";
import { formatRelative } from "../../../base/core/format.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import { Button } from "../../../../../components/Button.tsx";
import { ListRow } from "../ListRow.tsx";

interface PasskeyRowProps {
  passkey: PasskeyInfo;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  onRename: () => void;
  onRemove: () => void;
}

/** A passkey of the user: its name, for which site it is, and when it was used. */
export function PasskeyRow({ passkey, clock, onRename, onRemove }: PasskeyRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const { now } = useClock(clock);
  const { name, host, lastUsed } = passkey;
  return (
    <ListRow
      className="factors__row"
      glyph={KeyRound}
      name={<bdi>{name}</bdi>}
      facts={
        <>
          <bdi>{host}</bdi>
          <span>
            {lastUsed === null
              ? t("passkeys.unused")
              : t("passkeys.used", { when: formatRelative(lastUsed, language, now) })}
          </span>
        </>
      }
    >
      <div className="factors__acts">
        <Button aria-label={t("prompts.renameTitle", { name })} onClick={onRename}>
          {t("buttons.rename")}
        </Button>
        <Button aria-label={t("passkeys.removeNamed", { name })} onClick={onRemove}>
          {t("passkeys.remove")}
        </Button>
      </div>
    </ListRow>
  );
}
