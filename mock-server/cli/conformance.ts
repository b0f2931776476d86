import { writeFileSync } from 'node:fs';
import type { DeploymentJson } from '../domain/deployment.ts';
import { UsageError } from './values.ts';

export { findScheme, sentAt } from '../../src/testing/conform/find-scheme.ts';
export { budget } from '../../src/testing/conform/session.ts';

/** The text of a `deployment.json`. */
export const deploymentText = (lines: DeploymentJson): string =>
  JSON.stringify(
    { $schema: './node_modules/contentgen/deployment.schema.json', ...lines },
    undefined,
    2,
  );

export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`Failed to write ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
}
