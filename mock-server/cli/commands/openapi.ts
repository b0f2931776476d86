import { existsSync, readFileSync } from 'node:fs';
import { readContract } from '../../composition/deployment.ts';
import { defineCommand } from '../command.ts';
import { deploymentFlag, writeOutput } from '../deployment-flag.ts';
import { option } from '../flags.ts';
import { anyText } from '../values.ts';

/** Nothing else is overwritten. */
const isContract = (file: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').startsWith('openapi:');

export const openapi = defineCommand({
  description: `Print the contract, openapi.yaml. With --deployment, it is in the names, paths and words of that service, and
what the service does not have is left out: generate a client or documentation from it.`,
  flags: {
    deployment: deploymentFlag,
    save: option('FILE', 'Write it into a file instead', anyText),
  },
  examples: ['contentgen openapi --deployment deployment.json --save openapi.yaml'],
  async run({ flags }, terminal) {
    const text = readContract(flags.deployment) ?? '';
    if (flags.save === undefined) terminal.out(text.trimEnd());
    else writeOutput(flags.save, text, isContract(flags.save));
    return 0;
  },
});
