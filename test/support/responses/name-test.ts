import { relative } from 'node:path';
import { beforeEach, expect } from 'vitest';

/** Programs that a test starts preload the tap too. */
const preload = `--import=${new URL('./tap-node.mjs', import.meta.url).href}`;

if (process.env['CONTENTGEN_RESPONSES']) {
  const options = process.env['NODE_OPTIONS'] ?? '';
  if (!options.includes(preload)) process.env['NODE_OPTIONS'] = `${options} ${preload}`.trim();
  const nameTest = () => {
    const { testPath = '', currentTestName = '' } = expect.getState();
    process.env['CONTENTGEN_RESPONSES_OF'] = `${relative('.', testPath)} > ${currentTestName}`;
  };
  nameTest();
  beforeEach(nameTest);
}
