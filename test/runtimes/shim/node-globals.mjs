export { Buffer } from 'buffer/';

const { document, MessageChannel, setTimeout } = globalThis;

/** A browser makes nested timers wait for 4 ms; a message does not wait. */
function afterMessage(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
}

export const setImmediate =
  globalThis.setImmediate ?? (document ? afterMessage : (callback) => setTimeout(callback, 0));
