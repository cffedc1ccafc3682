import { type ComponentType, createElement } from "react";
import type { PromptKind } from "./prompts.ts";
import { usePrompts } from "../core/use_site.ts";
import type { PromptBodyProps } from "./prompt_bodies.ts";
import { useLate } from "../core/use_late.ts";

/** The question that is put to the user, one at a time, over whatever page is shown. */
export function Prompts() {
  const prompts = usePrompts();
  const prompt = prompts.current.value;
  const late = useLate(prompt !== null, () => import("./prompt_bodies.ts"));
  if (!late || !prompt) return null;
  const { id, kind, asks } = prompt;
  // TypeScript can't see that a kind and its question always go together.
  const body = late.promptBodies[kind] as ComponentType<PromptBodyProps<PromptKind>>;
  return createElement(body, {
    key: id,
    asks,
    onAnswer: (answer) => prompts.answer(kind, answer),
    onClose: () => prompts.current.peek()?.id === id && prompts.close(),
  });
}
