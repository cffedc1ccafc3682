import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazy } from "../../../base/core/lazy.ts";
import { useLazy, useSession } from "../../../base/core/use_site.ts";

const accountPanel = lazy(() => import("./AccountPanel.tsx"));

interface AccountButtonProps {
  /** Absent on pages without shortcuts. */
  onHelp?: () => void;
  onSignOut: () => void;
}

/** The user's name at the foot of the sidebar; opens the panel of the account. */
export function AccountButton(props: AccountButtonProps) {
  const { t } = useTranslation();
  const name = useSession().user.value?.username ?? "";
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const code = useLazy(accountPanel, isOpen);
  return (
    <div>
      <button
        type="button"
        ref={button}
        className="sidebar__item"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Avatar name={name} />
        <span className="sidebar__name" dir="auto" aria-hidden="true">{name}</span>
        <span className="unseen">{t("account.menu", { name })}</span>
      </button>
      {isOpen && code && (
        <code.AccountPanel
          {...props}
          name={name}
          button={button}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** The initial of a name in a disc. */
export function Avatar({ name }: { name: string }) {
  const [initial = ""] = name;
  return <span className="avatar" aria-hidden="true">{initial.toUpperCase()}</span>;
}
