import { defaults } from '../composition/defaults.ts';
import type { Deployment } from '../domain/deployment.ts';
import { optionOr } from './flags.ts';
import type { Source } from './parse-command-line.ts';
import type { Terminal } from './terminal.ts';
import { baseUrl, UsageError } from './values.ts';

/** Where `contentgen mock` listens by default. */
export const DEFAULT_URL = `http://${defaults.host}:${defaults.port}`;

export const urlFlag = optionOr(DEFAULT_URL, 'URL', 'Base URL of the running server', baseUrl, {
  env: 'CONTENTGEN_BASE_URL',
});

/** A service's base URL, and what named it. */
export interface Address {
  readonly url: string;
  readonly from: Source | 'deployment' | 'default';
}

interface Line {
  readonly flags: { readonly deployment?: Deployment | undefined };
  readonly sources: Readonly<Partial<Record<string, Source>>>;
}

const CREDENTIALS = ['api-key', 'control-token'];

/**
 * The address to use: `given` if there is one, or that of the deployment, or this machine.
 *
 * @param flag - The flag of `given`.
 * @throws UsageError if a credential comes from elsewhere: a file of somebody else could then decide where it goes.
 * No file can redirect the default.
 */
export function addressOf(
  { flags, sources }: Line,
  given: string | undefined,
  flag: 'url' | 'base-url' = 'url',
): Address {
  const own = flags.deployment?.json.baseUrl;
  const source = sources[flag];
  const from = source ?? (own === undefined ? 'default' : 'deployment');
  const url = source === undefined ? (own ?? DEFAULT_URL) : (given ?? DEFAULT_URL);
  if (from === 'default') return { url, from };
  for (const name of CREDENTIALS) {
    const other = sources[name];
    if (other === undefined || other === from) continue;
    throw new UsageError(
      `The URL comes from ${placeOf(flag, from)}, but the credential from ${placeOf(name, other)}. Give both in the same way, so that nothing else decides where a credential is sent.`,
    );
  }
  return { url, from };
}

const placeOf = (flag: string, from: Address['from']): string =>
  from === 'option'
    ? `--${flag}`
    : {
        environment: 'the environment',
        'env-file': '--env-file',
        deployment: 'the deployment',
        default: 'the default',
      }[from];

/** Before a command writes or spends: which service that is, unless this line names it. */
export function printAddress({ url, from }: Address, { err }: Terminal): void {
  if (from !== 'option') err(`Using ${url}, from ${placeOf('url', from)}.`);
}
