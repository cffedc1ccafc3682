import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { success } from "../../../../shared/result.ts";
import { useHydrated, usePage } from "../../../base/core/page.ts";
import { PickField } from "../../../base/ui/lists/PickField.tsx";
import { focusField } from "../../../base/ui/use_form.ts";

/** The parts of the global settings, in reading order: the ids of their elements. */
const siteParts = [
  "site",
  "signin",
  "sharing",
  "commands",
  "storage",
  "search",
  "activity",
  "mail",
  "defaults",
] as const;

/** One of them. */
export type SitePart = typeof siteParts[number];

/** The titles of the parts. */
export function usePartTitles(): Record<SitePart, string> {
  const { t } = useTranslation();
  return {
    site: t("settings.parts.site"),
    signin: t("settings.parts.signin"),
    sharing: t("settings.parts.sharing"),
    commands: t("settings.commands"),
    storage: t("settings.parts.storage"),
    search: t("search.label"),
    activity: t("activity.title"),
    mail: t("settings.parts.mail"),
    defaults: t("settings.defaults"),
  };
}

/** Settings that are found at once. */
const MOST_FOUND = 8;

interface SitePartsProps {
  /** The page is the server check, which belongs to them. */
  isCheck?: boolean;
}

/** The list beside the global settings: it finds a setting, leads to each part, and marks the place. */
export function SiteParts({ isCheck = false }: SitePartsProps) {
  const { t } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const hydrated = useHydrated();
  const titles = usePartTitles();
  const current = useCurrentPart(!isCheck);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const mark = list.current?.querySelector("[aria-current]:not([aria-current=false])");
    // Not `scrollIntoView`, which would scroll the page as well, away from the part.
    if (mark) list.current?.scrollBy({ left: centerOf(mark) - centerOf(list.current) });
  }, [current]);
  const page = isCheck ? `${BaseURL}/settings/global` : "";
  return (
    <div className="parts">
      {!isCheck && (
        <div className="parts__find" inert={!hydrated}>
          <PickField<FoundSetting>
            name="setting"
            label={t("settings.find")}
            find={(text) => Promise.resolve(success(findSettings(text).slice(0, MOST_FOUND)))}
            isChosen={() => false}
            onPick={({ control }) => {
              focusField(control);
              control.scrollIntoView({ block: "center" });
            }}
          />
        </div>
      )}
      <div className="parts__bar">
        <nav ref={list} className="parts__list scrolls" aria-label={t("settings.tabs.global")}>
          {siteParts.map((id) => (
            <a
              key={id}
              className="parts__part"
              href={`${page}#${id}`}
              aria-current={!isCheck && id === current ? "location" : "false"}
            >
              {titles[id]}
            </a>
          ))}
          <a
            className="parts__part"
            href={`${BaseURL}/settings/check`}
            aria-current={isCheck ? "page" : "false"}
          >
            {t("check.title")}
          </a>
        </nav>
      </div>
    </div>
  );
}

/** The horizontal center of an element, in CSS pixels of the window. */
function centerOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect();
  return (left + right) / 2;
}

/** The part at the top of what is in sight. */
function useCurrentPart(isWanted: boolean): SitePart {
  const [current, setCurrent] = useState<SitePart>(siteParts[0]);
  useEffect(() => {
    const page = document.querySelector("#content > .settings");
    if (!page || !isWanted) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      const { top, height } = page.getBoundingClientRect();
      const isAtEnd = page.scrollTop > 0 &&
        page.scrollTop + page.clientHeight >= page.scrollHeight - 2;
      const passed = siteParts.filter((id) => {
        const part = document.getElementById(id);
        return part !== null && part.getBoundingClientRect().top <= top + height / 4;
      });
      setCurrent((isAtEnd ? siteParts.at(-1) : passed.at(-1)) ?? siteParts[0]);
    };
    const onScroll = () => frame ||= requestAnimationFrame(look);
    look();
    page.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      page.removeEventListener("scroll", onScroll);
      cancelAnimationFrame(frame);
    };
  }, [isWanted]);
  return current;
}

/** A setting by its label. */
interface FoundSetting {
  name: string;
  control: HTMLElement;
}

/** The settings on the page whose labels contain a text. */
function findSettings(text: string): FoundSetting[] {
  const wanted = text.toLocaleLowerCase();
  const found = new Map<string, FoundSetting>();
  const labels = document.querySelectorAll(
    ".settings__form :is(label, legend, summary, h3.field__label)",
  );
  for (const label of labels) {
    const name = label.textContent?.trim() ?? "";
    const control = controlOf(label);
    if (control && !found.has(name) && name.toLocaleLowerCase().includes(wanted)) {
      found.set(name, { name, control });
    }
  }
  return [...found.values()];
}

/** What takes the focus for a label, or for the heading of several controls. */
function controlOf(label: Element): HTMLElement | null {
  if (label instanceof HTMLLabelElement) return label.control;
  if (label.matches("summary")) return label as HTMLElement;
  const group = label.closest("fieldset, .edit-rows, section");
  return group?.querySelector<HTMLElement>(":is(input, select, textarea, button)") ?? null;
}
