import { File, X } from "lucide";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { FileInput } from "../../../../components/FileInput.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { useToasts } from "../../base/core/use_site.ts";
import { useReturnedFocus } from "../../base/core/use_returned_focus.ts";
import { useFiles } from "../../base/files/use_files.ts";

/** The uploads that a reload or a crash of the page has interrupted, and the ways to go on. */
export function InterruptedList() {
  const { t } = useTranslation();
  const { uploads } = useFiles();
  const toasts = useToasts();
  const files = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  useReturnedFocus(panel);
  const all = uploads.interrupted.value;
  const interrupted = uploads.queue?.interrupted;

  const take = async (chosen: File[]) => {
    const isAny = await interrupted?.resume(chosen);
    if (chosen.length > 0 && !isAny) toasts.error(t("uploads.noMatch"));
  };

  return (
    <section ref={panel} className="uploads" aria-labelledby="interrupted">
      <header className="uploads__head">
        <h2 className="uploads__title" id="interrupted" role="status">
          {t("uploads.interrupted")}
        </h2>
        <IconButton
          label={t("uploads.later")}
          glyph={X}
          onClick={() => interrupted?.postpone()}
        />
        <p className="uploads__text">{t("uploads.interruptedText")}</p>
        <div className="uploads__ways">
          {all.some(({ isReopenable }) => isReopenable) && (
            <Button
              variant="primary"
              onClick={() => void interrupted?.reopen()}
            >
              {t("uploads.continue")}
            </Button>
          )}
          {all.some(({ isReopenable }) => !isReopenable) && (
            <Button
              variant="primary"
              onClick={() => files.current?.click()}
            >
              {t("uploads.chooseAgain")}
            </Button>
          )}
        </div>
        <FileInput
          inputRef={files}
          label={t("uploads.chooseAgain")}
          onChoose={(chosen) => void take(chosen)}
        />
      </header>
      <div className="uploads__list">
        <ul>
          {all.map(({ path, name, percent }) => (
            <li className="upload" key={path} data-status="waiting">
              <span className="upload__sign">
                <Icon glyph={File} />
              </span>
              <div className="upload__words">
                <p className="upload__line">
                  <span className="upload__name" title={path} dir="auto">{name}</span>
                  <span className="upload__figure">{t("uploads.percent", { percent })}</span>
                </p>
                <progress className="progress" value={percent} max={100} aria-label={name} />
              </div>
              <div className="upload__acts">
                <IconButton
                  label={t("uploads.discardOne", { name })}
                  glyph={X}
                  onClick={() =>
                    void interrupted?.discard(path)}
                />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
