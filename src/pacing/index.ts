export { type PacedOptions, paced } from './paced.ts';
