/** A Worker that answers, dies, breaks down, or never answers, as its tasks say. */
const scope = self as unknown as {
  onmessage: (event: MessageEvent<{ id: number; task: string }>) => void;
  postMessage(message: unknown): void;
};

let count = 0;

scope.onmessage = ({ data: { id, task } }) => {
  if (task === "die") {
    setTimeout(() => {
      throw new Error("died");
    }, 0);
  }
  if (task === "rest too early") scope.postMessage({ idle: true });
  if (task === "fail") scope.postMessage({ id, failure: "a fault of the program" });
  if (task === "refuse") scope.postMessage({ id, refusal: "it is no picture" });
  if (task === "spend") scope.postMessage({ id, refusal: "broken", spent: true });
  if (task === "count") scope.postMessage({ id, result: String(++count) });
  if (task === "count and rest") {
    scope.postMessage({ id, result: String(++count) });
    scope.postMessage({ idle: true });
  }
  if (task === "do") scope.postMessage({ id, result: "done" });
};
