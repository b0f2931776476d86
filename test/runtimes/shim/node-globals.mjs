export { Buffer } from 'buffer/';

const { setTimeout } = globalThis;
export const setImmediate = globalThis.setImmediate ?? ((callback) => setTimeout(callback, 0));
