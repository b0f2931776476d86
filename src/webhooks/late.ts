// What only some deliveries need, behind one dynamic import. It must share no module with what is loaded before.
export { complete } from './complete.ts';
export { explain } from './explain.ts';
export { readBody, verifyRequest } from './read-body.ts';
export { reject } from './reject.ts';
