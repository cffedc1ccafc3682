import { type ComponentType, createElement } from "react";
import type { PromptKind } from "../../base/prompts/prompts.ts";
import { usePrompts } from "../../base/core/use_site.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazyDialog } from "../../base/ui/use_lazy_dialog.ts";

const promptBodies = lazy(() => import("./prompt_bodies.ts"));

/** The current prompt, one at a time, over any page. */
export function Prompts() {
  const prompts = usePrompts();
  const prompt = prompts.current.value;
  const code = useLazyDialog(promptBodies, prompt !== null, () => prompts.close());
  if (!code || !prompt) return null;
  const { id, kind, input } = prompt;
  // TypeScript can't see that a kind and its question always go together.
  const body = code.promptBodies[kind] as ComponentType<PromptBodyProps<PromptKind>>;
  return createElement(body, {
    key: id,
    input,
    onAnswer: (answer) => prompts.answer(kind, answer),
    onClose: () => prompts.current.peek()?.id === id && prompts.close(),
  });
}
