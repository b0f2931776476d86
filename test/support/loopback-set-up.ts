import { relative } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { takePrevented } from './loopback-only.mjs';

/** Programs that a test starts load the guard first. */
const preload = `--import=${new URL('./loopback-only.mjs', import.meta.url).href}`;
const options = process.env['NODE_OPTIONS'] ?? '';
if (!options.includes(preload)) process.env['NODE_OPTIONS'] = `${options} ${preload}`.trim();

beforeEach(() => {
  const { testPath = '', currentTestName = '' } = expect.getState();
  process.env['CONTENTGEN_TEST'] = `${relative('.', testPath)} > ${currentTestName}`;
});

afterEach(() => {
  const prevented = takePrevented();
  if (prevented.length > 0) throw new Error(prevented.join('\n'));
});
