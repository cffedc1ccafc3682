import { type ComponentType, createElement, useEffect, useLayoutEffect } from "react";
import type { PromptKind } from "./prompts.ts";
import { useLazy, usePrompts } from "../core/use_site.ts";
import type { PromptBodyProps } from "./prompts.ts";
import { lazy } from "../core/lazy.ts";
import { holdKeys } from "../ui/dialog_press.ts";

const promptBodies = lazy(() => import("./prompt_bodies.ts"));

/** The current prompt, one at a time, over any page. */
export function Prompts() {
  const prompts = usePrompts();
  const prompt = prompts.current.value;
  const code = useLazy(promptBodies, prompt !== null);
  const isLoading = prompt !== null && code === null;
  useLayoutEffect(() => isLoading ? holdKeys(() => prompts.close()) : undefined, [isLoading]);
  const hasFailed = promptBodies.state.value.is === "failed";
  // Else the next prompts would wait for one that is never shown.
  useEffect(() => {
    if (prompt && promptBodies.state.peek().is === "failed") prompts.close();
  }, [prompt, hasFailed]);
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
