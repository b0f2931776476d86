import { readContract } from '../../composition/deployment.ts';
import { defineCommand } from '../command.ts';
import { deploymentFlag } from '../deployment-flag.ts';

export const openapi = defineCommand({
  description: `Print the contract, openapi.yaml. With --deployment, it is in the names, paths and words of that service, and
what the service does not have is left out: generate a client or documentation from it.`,
  flags: { deployment: deploymentFlag },
  examples: ['contentgen openapi --deployment deployment.json > openapi.yaml'],
  async run({ flags }, terminal) {
    terminal.out((readContract(flags.deployment) ?? '').trimEnd());
    return 0;
  },
});
