/** Loses messages between threads until it is disposed of, all or those of which that is so. */
export function loseMessages(isLost: (message: unknown) => boolean = () => true): Disposable {
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (this: BroadcastChannel, message: unknown) {
    if (!isLost(message)) postMessage.call(this, message);
  };
  return {
    [Symbol.dispose]: () => void Object.assign(BroadcastChannel.prototype, { postMessage }),
  };
}
