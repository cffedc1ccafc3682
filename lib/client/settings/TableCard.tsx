import type { ReactNode } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { Card } from "./Card.tsx";

interface TableCardProps {
  id: string;
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** The heads of the columns, but for the last: what can be done with each line. */
  columns: readonly string[];
  /** The lines. */
  children: ReactNode;
}

/** A table in a card of its own. */
export function TableCard({ columns, children, ...card }: TableCardProps) {
  const { t } = useTranslation();
  return (
    <Card {...card}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((words) => <th key={words} scope="col">{words}</th>)}
            <th scope="col">
              <span className="unseen">{t("settings.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Card>
  );
}
