import { relative } from 'node:path';
import { beforeEach, expect } from 'vitest';

/** Programs that a test starts give their answers to the same tap. */
const preload = `--import=${new URL('./tap.mjs', import.meta.url).href}`;

if (process.env['CONTENTGEN_ANSWERS']) {
  const options = process.env['NODE_OPTIONS'] ?? '';
  if (!options.includes(preload)) process.env['NODE_OPTIONS'] = `${options} ${preload}`.trim();
  const name = () => {
    const { testPath = '', currentTestName = '' } = expect.getState();
    process.env['CONTENTGEN_ANSWERS_OF'] = `${relative('.', testPath)} > ${currentTestName}`;
  };
  name();
  beforeEach(name);
}
