import type { ReactNode } from "react";
import { Prompts } from "./Prompts.tsx";
import { ToastStack } from "../../base/ui/Toasts.tsx";
import { BellButton } from "./header/BellButton.tsx";
import { SidebarButton } from "./sidebar/SidebarContent.tsx";

/** The id of the line below the content: it does not scroll, and covers nothing. */
export const FOOT = "foot";

interface PageShellProps {
  title: string;
  sidebar: ReactNode;
  /** Links to its parts, above the content. */
  tabs?: ReactNode;
  /** The content is a list that fills the sheet, as that of a folder. */
  isList?: boolean;
  children: ReactNode;
}

/** The frame of pages other than the files: sidebar, header, content, and what appears over them. */
export function PageShell({ title, sidebar, tabs, isList = false, children }: PageShellProps) {
  return (
    <>
      <div className="shell">
        {sidebar}
        <div className="shell__main">
          <header className="header">
            <SidebarButton />
            <h1 className="header__title">{title}</h1>
            <BellButton />
          </header>
          <main className="sheet" id="content">
            {tabs}
            {isList ? children : (
              <>
                <div className="settings">{children}</div>
                <div className="foot" id={FOOT} />
              </>
            )}
          </main>
        </div>
      </div>
      <div className="corner">
        <ToastStack />
      </div>
      <Prompts />
    </>
  );
}
