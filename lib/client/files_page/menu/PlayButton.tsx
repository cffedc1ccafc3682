import { Play } from "lucide";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { useMusicRequests } from "../../base/core/use_panels.ts";
import { Button, IconButton } from "../../../../components/Button.tsx";

interface PlayButtonProps {
  folder: Entry;
  /** Shows the icon alone, in the line above a listing. */
  isShort?: boolean;
}

/** Plays the music of a folder. */
export function PlayButton({ folder, isShort }: PlayButtonProps) {
  const { t } = useTranslation();
  const requests = useMusicRequests();
  const play = () => requests.value = [...requests.peek(), { does: "play", entries: [folder] }];
  return isShort
    ? <IconButton label={t("commands.play")} glyph={Play} onClick={play} />
    : <Button glyph={Play} onClick={play}>{t("commands.play")}</Button>;
}
