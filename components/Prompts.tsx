import { usePrompts } from "../lib/client/use_site.ts";
import { useLateParts } from "./use_late_parts.ts";

/** The question that is put to the user, one at a time, over whatever page is shown. */
export function Prompts() {
  const prompts = usePrompts();
  const prompt = prompts.current.value;
  const parts = useLateParts(prompt !== null);
  if (!parts) return null;

  const close = () => prompts.close();
  const { DeletePrompt, NewFolderPrompt, ReplacePrompt } = parts;
  switch (prompt?.kind) {
    case "newDir":
      return (
        <NewFolderPrompt
          taken={prompt.asks.taken}
          onAnswer={(name) => prompts.answer("newDir", name)}
          onClose={close}
        />
      );
    case "delete":
      return (
        <DeletePrompt
          {...prompt.asks}
          onAnswer={() => prompts.answer("delete", true)}
          onClose={close}
        />
      );
    case "replace":
      return (
        <ReplacePrompt
          {...prompt.asks}
          onAnswer={(answer) => prompts.answer("replace", answer)}
          onClose={close}
        />
      );
    default:
      return null;
  }
}
