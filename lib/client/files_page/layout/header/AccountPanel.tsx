import { signal } from "@preact/signals";
import { Keyboard, KeyRound, LogOut } from "lucide";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { localeNames } from "../../../../shared/i18n/locale_names.ts";
import type { Result } from "../../../../shared/result.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { usePage, useShared } from "../../../base/core/page.ts";
import { useApi, useSession, useToasts } from "../../../base/core/use_site.ts";
import { useClosingPress } from "../../../base/ui/popover_press.ts";
import { SelectField } from "../../../../../components/Fields.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { SheetGrip } from "../../../../../components/Menu.tsx";
import { Avatar } from "./AccountButton.tsx";
import { showTheme } from "../../../base/core/show_theme.ts";

/** The themes to choose from, and the keys of their words. */
const THEMES = [["system", "device"], ["light", "light"], ["dark", "dark"]] as const;

interface AccountPanelProps {
  name: string;
  /** The button that has opened it. */
  button: RefObject<HTMLButtonElement>;
  /** Absent on pages without shortcuts. */
  onHelp?: () => void;
  onSignOut: () => void;
  onClose: () => void;
}

/** The account of the user: the language, the theme, the help, the way out. */
export function AccountPanel({ name, button, onHelp, onSignOut, onClose }: AccountPanelProps) {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const panel = useRef<HTMLDivElement>(null);
  useClosingPress(panel);
  useLayoutEffect(() => {
    const [own, opener] = [panel.current, button.current];
    if (!own || !opener) return;
    own.showPopover();
    placeAbove(own, opener);
    own.focus();
    // From the next press on the button closes the panel, and does not open it again.
    const timer = setTimeout(() => opener.popoverTargetElement = own);
    return () => {
      clearTimeout(timer);
      opener.popoverTargetElement = null;
    };
  }, []);
  const leaving = (act: () => void) => () => {
    panel.current?.hidePopover();
    act();
  };
  return (
    <div
      ref={panel}
      popover="auto"
      tabIndex={-1}
      role="dialog"
      aria-label={t("account.menu", { name })}
      className="menu account"
      onToggle={(event) => event.newState === "closed" && onClose()}
    >
      <SheetGrip sheet={panel} />
      <p className="account__who">
        <Avatar name={name} />
        <span className="sidebar__name" dir="auto">{name}</span>
      </p>
      <LanguageField />
      <ThemeField />
      <hr className="menu__rule" />
      {config.LoginPage && !user?.lockPassword && (
        <a
          className="menu__item"
          href={`${config.BaseURL}/settings/profile#password`}
          onClick={leaving(() => {})}
        >
          <Icon glyph={KeyRound} />
          {t("settings.changePassword")}
        </a>
      )}
      {onHelp && (
        <button type="button" className="menu__item" onClick={leaving(onHelp)}>
          <Icon glyph={Keyboard} />
          {t("prompts.helpTitle")}
        </button>
      )}
      {config.LoginPage && (
        <button type="button" className="menu__item" onClick={leaving(onSignOut)}>
          <Icon glyph={LogOut} mirror />
          {t("sidebar.logout")}
        </button>
      )}
    </div>
  );
}

/** The language of the pages, which are then rendered again. */
function LanguageField() {
  const { t } = useTranslation();
  const { user } = usePage().data;
  const save = useSaving();
  return (
    <SelectField
      name="account-locale"
      label={t("settings.locale")}
      value={user?.locale ?? ""}
      options={[["", t("settings.localeBrowser")], ...Object.entries(localeNames)]}
      onChange={async (locale) => {
        if (await save({ locale })) location.reload();
      }}
    />
  );
}

/** The theme of one's own; the site's until one is chosen. */
function ThemeField() {
  const { t } = useTranslation();
  const { user, config: { Theme, Color } } = usePage().data;
  const chosen = useShared("theme", () => signal(user?.theme || Theme || "system"));
  const save = useSaving();
  const choose = async (theme: typeof chosen.value) => {
    const before = chosen.peek();
    const show = (wanted: typeof before) => {
      chosen.value = wanted;
      showTheme(document, wanted === "system" ? "" : wanted, Color);
    };
    show(theme);
    if (!await save({ theme })) show(before);
  };
  return (
    <fieldset className="presets">
      <legend>{t("settings.theme")}</legend>
      {THEMES.map(([theme, word]) => (
        <label key={theme} className="preset">
          <input
            type="radio"
            className="unseen"
            name="account-theme"
            checked={chosen.value === theme}
            onChange={() => void choose(theme)}
          />
          {t(`settings.themes.${word}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** Saves fields of the user's own account; tells of a failure. */
function useSaving(): (fields: object) => Promise<boolean> {
  const { t } = useTranslation();
  const api = useApi();
  const toasts = useToasts();
  const session = useSession();
  const { LoginPage } = usePage().data.config;
  return async (fields) => {
    const { id } = session.user.peek() ?? {};
    if (id === undefined) return false;
    const answer: Result<void> = await api.changeUser(id, fields);
    if (!answer.ok) toasts.error(reasonOf(t, answer));
    // The token carries these fields.
    else if (LoginPage) await api.calls.renew();
    return answer.ok;
  };
}

/** Positions the panel above its button, within the window. */
function placeAbove(panel: HTMLElement, button: HTMLElement): void {
  const { top, left, right } = button.getBoundingClientRect();
  const { clientHeight, clientWidth } = document.documentElement;
  const isMirrored = getComputedStyle(button).direction === "rtl";
  panel.style.bottom = `${clientHeight - top + 6}px`;
  panel.style.maxHeight = `${top - 14}px`;
  panel.style.insetInlineStart = `${isMirrored ? clientWidth - right : left}px`;
}
