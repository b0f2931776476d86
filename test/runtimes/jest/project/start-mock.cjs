const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');
const { createInterface } = require('node:readline');

/** Starts `contentgen mock`; the tests find its addresses and keys in `CONTENTGEN_MOCK`. */
module.exports = async () => {
  const command = join(__dirname, '../node_modules/contentgen/dist/mock/cli.js');
  const mock = spawn(
    process.execPath,
    [command, 'mock', '--port', '0', '--json', '--log', 'none', '--allow-private'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once(createInterface({ input: mock.stdout }), 'line');
  process.env.CONTENTGEN_MOCK = line;
  globalThis.contentgenMock = mock;
};
