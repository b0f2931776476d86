import { readFile } from 'node:fs/promises';
import {
  DASHBOARD_HINT,
  parseReproduction,
  type Reproduction,
  replayFileLine,
} from '../../simulate/reproduction-format.ts';
import { defineCommand } from '../command.ts';
import { CommandError } from '../connection.ts';
import { toggle } from '../flags.ts';
import { loadOptions } from './simulate.ts';

export const replay = defineCommand({
  description: `Show the failed run of a simulation from the file that simulate() wrote. If it comes from contentgen simulate,
the run is repeated and must produce the same trace; if it comes from a test, the command to repeat it is
printed.`,
  operands: { name: 'FILE', least: 1, most: 1 },
  flags: { json: toggle('Print JSON') },
  examples: ['contentgen replay node_modules/.contentgen/simulation-seed-42.json'],
  async run({ flags: { json }, operands: [file = ''] }, terminal) {
    const reproduction = await readReproduction(file);
    const { seed, cause, timeline, faults } = reproduction;
    const again = reproduction.module === undefined ? undefined : await runAgain(reproduction);
    if (json) {
      terminal.out(JSON.stringify({ ...reproduction, ...(again && { again }) }));
    } else {
      terminal.out(`Seed ${seed} failed: ${cause}\n\n${timeline}\n`);
      terminal.out(
        `Faults needed to reproduce it: ${faults.length > 0 ? faults.join(', ') : 'none'}.`,
      );
      terminal.out(again?.text ?? `Run it again with: ${replayFileLine(reproduction, file)}`);
      terminal.out(DASHBOARD_HINT);
    }
    return again === undefined || again.isSame ? 0 : 1;
  },
});

async function runAgain(reproduction: Reproduction) {
  const { replay: run } = await import('../../simulate/simulate.ts');
  const options = await loadOptions(reproduction.module ?? '');
  const { traceHash, failure } = await run(options, reproduction);
  const isSame = traceHash === reproduction.reducedHash;
  const text = isSame
    ? `Ran again: the same trace, ${traceHash.slice(0, 16)}.`
    : failure === undefined
      ? 'Ran again: it no longer fails.'
      : 'Ran again: it fails, but with a different trace. The application has changed.';
  return { isSame, text, traceHash };
}

async function readReproduction(file: string): Promise<Reproduction> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`Failed to read ${file}. Pass the file that the simulation printed.`);
  });
  const reproduction = parseReproduction(text);
  if (reproduction) return reproduction;
  throw new CommandError(
    `${file} is not a reproduction of a simulation, or was written by a later version.`,
  );
}
