import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invoke } from '../mock-server/cli/invoke.ts';

const broken = 'examples/simulation/mark-after-effect.sim.ts';

test('simulate prints the timeline, and replay repeats the same run', async () => {
  const failed = await invoke(['simulate', broken, '--json']);
  expect(failed.code).toBe(1);
  const reproduction = JSON.parse(failed.out);
  expect(reproduction).toMatchObject({ format: 'contentgen-simulation', module: broken });
  expect(reproduction.replay).toBe(
    `SIMULATE_SEED=${reproduction.seed} npx contentgen simulate ${broken}`,
  );
  const [file] = (await readdir('node_modules/.contentgen')).filter((name) =>
    name.includes(`seed-${reproduction.seed}.`),
  );
  const replayed = await invoke(['replay', `node_modules/.contentgen/${file}`]);
  expect(replayed.out).toContain(reproduction.timeline);
  expect(replayed.out).toContain('Ran again: the same trace');
  expect(replayed.code).toBe(0);
});

test('simulate and replay say what is wrong with a file', async () => {
  const missing = await invoke(['simulate', 'none.ts']);
  expect(missing.err).toContain('Failed to load none.ts');
  const folder = await mkdtemp(join(tmpdir(), 'replay-'));
  const cut = join(folder, 'cut.json');
  await writeFile(cut, '{"format":"contentgen-simulation","version":1,"seed":1}');
  const short = await invoke(['replay', cut]);
  const texts = { cause: 'c', timeline: 't', replay: 'r', traceHash: 'h' };
  const fields = { format: 'contentgen-simulation', version: 1, seed: 1, choices: {} };
  await writeFile(cut, JSON.stringify({ ...fields, ...texts, faults: [], trace: [] }));
  const withoutHash = await invoke(['replay', cut]);
  await rm(folder, { recursive: true });
  expect(short.err).toContain('cut.json is not a reproduction of a simulation');
  expect(short.out).toBe('');
  expect(withoutHash.err).toBe(short.err);
  const other = await invoke(['replay', 'package.json']);
  expect(other.err).toContain('package.json is not a reproduction of a simulation');
});
