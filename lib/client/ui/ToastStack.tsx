import { ReportButton } from "./ReportButton.tsx";
import { ToastCard } from "./ToastCard.tsx";
import { useToasts } from "../core/use_site.ts";

/** The news of the moment, in the corner of the page. */
export function ToastStack() {
  const toasts = useToasts();
  return (
    <div className="toasts">
      <div role="status">
        {toasts.shown.value.filter(({ kind }) => kind === "success").map(({ id, kind, text }) => (
          <ToastCard key={id} look={kind} text={text} onClose={() => toasts.close(id)} />
        ))}
      </div>
      <div role="alert">
        {toasts.shown.value.filter(({ kind }) => kind === "error").map(({ id, kind, text }) => (
          <ToastCard key={id} look={kind} text={text} onClose={() => toasts.close(id)}>
            <ReportButton text={text} />
          </ToastCard>
        ))}
      </div>
    </div>
  );
}
