import { readFileSync } from 'node:fs';

/** The package's version; its manifest lies two folders up in the sources and in the built package alike. */
export function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
