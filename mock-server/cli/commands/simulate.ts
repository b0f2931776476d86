import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SimulateOptions } from '../../simulate/options.ts';
import { defineCommand } from '../command.ts';
import { CommandError } from '../connection.ts';
import { option, toggle } from '../flags.ts';
import { integer } from '../values.ts';

export const simulate = defineCommand({
  description: `Run an application against the reference server, once for each seed, while requests fail, callbacks are lost,
repeated and reordered, and instances crash. FILE is a module whose default export is the options
of simulate() from contentgen/simulate. Exits with 1 if a seed fails, and prints what happened.`,
  operands: { name: 'FILE', least: 1, most: 1 },
  flags: {
    seeds: option(
      'N',
      'How many seeds to run; by default what the file says, or 200',
      integer(1, 1_000_000),
    ),
    from: option(
      'N',
      'The first seed; by default what the file says, or 1',
      integer(0, Number.MAX_SAFE_INTEGER),
    ),
    json: toggle('Print JSON'),
  },
  examples: [
    'contentgen simulate shop.sim.ts',
    'contentgen simulate shop.sim.ts --seeds 10000',
    'SIMULATE_SEED=42 contentgen simulate shop.sim.ts',
  ],
  async run({ flags: { seeds, from, json }, operands: [file = ''] }, terminal) {
    const { SimulationError, simulate: run } = await import('../../simulate/index.ts');
    const options = await loadOptions(file);
    const { seeds: own = 200 } = options;
    const count = seeds ?? (typeof own === 'number' ? own : own.count);
    const first = from ?? (typeof own === 'number' ? 1 : own.from);
    process.env['CONTENTGEN_SIMULATE_FILE'] = file;
    try {
      const result = await run({ ...options, seeds: { from: first, count } });
      terminal.out(
        json
          ? JSON.stringify(result)
          : `${result.runs} runs, ${result.faults} faults, nothing wrong (${result.ms} ms).`,
      );
      if (!json && result.outside.length > 0) {
        terminal.out(
          `Used from outside the simulation, so no seed controls it: ${result.outside.join(', ')}.`,
        );
      }
      return 0;
    } catch (error) {
      if (!(error instanceof SimulationError)) throw error;
      terminal.out(json ? JSON.stringify(error.reproduction) : error.message);
      return 1;
    } finally {
      delete process.env['CONTENTGEN_SIMULATE_FILE'];
    }
  },
});

/** The default export of the user's module. */
export async function loadOptions(file: string): Promise<SimulateOptions<unknown>> {
  const url = pathToFileURL(resolve(file)).href;
  const loaded = (await import(url).catch((cause: unknown) => {
    const { code } = Object(cause) as { code?: unknown };
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = code === 'ERR_UNKNOWN_FILE_EXTENSION' ? `. ${typeScriptAdvice(file)}` : '';
    throw new CommandError(`Failed to load ${file}: ${reason}${advice}`);
  })) as { default?: SimulateOptions<unknown> };
  if (typeof loaded.default?.app === 'function') return loaded.default;
  throw new CommandError(
    `${file} has no default export with the options of simulate(): export default { app, receive, run }.`,
  );
}

/** Node runs TypeScript from 22.18 on. */
function typeScriptAdvice(file: string): string {
  return `For TypeScript, use Node 22.18 or later, or a loader: NODE_OPTIONS='--import tsx' npx contentgen simulate ${file}`;
}
