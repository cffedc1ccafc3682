import { asset } from "fresh/runtime";
import { usePage } from "../core/page.ts";
import type { Clock } from "../core/use_clock.ts";
import type { SharePageData } from "../../shared/api_types.ts";
import { Crumbs } from "../navigation/Crumbs.tsx";
import { Logo } from "../../../components/Logo.tsx";
import { shareLinks } from "./share_links.ts";
import { SharedContent } from "./SharedContent.tsx";
import { SharedFacts } from "./SharedFacts.tsx";
import { SharedList } from "./SharedList.tsx";
import { VisitorLinks } from "./VisitorLinks.tsx";

interface SharedEntryProps {
  shown: SharePageData;
  clock: Clock;
}

/** What a visitor sees of a share: what it is, what it holds, and the ways to have it. */
export function SharedEntry({ shown, clock }: SharedEntryProps) {
  const { BaseURL, Name } = usePage().data.config;
  const { resource, name } = shown;
  const links = shareLinks(BaseURL, shown);
  const names = resource.path.split("/").filter(Boolean);
  const crumbs = names.map((segment, index) => ({
    name: segment,
    href: links.page(`/${names.slice(0, index + 1).join("/")}`, index < names.length - 1),
  }));
  return (
    <div className="shared">
      {resource.isDir && <script type="module" src={asset(BaseURL + "/share.js")} />}
      <header className="shared__head">
        <Logo />
        <p className="shared__site">{Name}</p>
        <VisitorLinks />
      </header>
      <main className="shared__main">
        {names.length > 0 && <Crumbs home={links.page("/", true)} crumbs={crumbs} top={name} />}
        <div className="shared__columns">
          <SharedFacts shown={shown} links={links} clock={clock} />
          {resource.isDir
            ? <SharedList shown={shown} links={links} clock={clock} />
            : <SharedContent entry={resource} links={links} />}
        </div>
      </main>
    </div>
  );
}
