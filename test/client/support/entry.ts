export type * from '../../../src/index.ts';
export * as contentgen from '../../../src/index.ts';
