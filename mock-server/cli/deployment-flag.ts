import { lstatSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { defineDeployment } from '../../src/deployment/index.ts';
import type { Deployment } from '../domain/deployment.ts';
import { parseJson } from '../domain/options.ts';
import { readPackageFile } from '../platform/package-file.ts';
import { option } from './flags.ts';
import { type Parse, readText, UsageError } from './values.ts';

/** A file, or the name of a deployment that the package brings. */
export const deployment: Parse<Deployment> = (text, name) => {
  const shipped = /^[a-z-]+$/.test(text) ? readPackageFile(`deployments/${text}.json`) : undefined;
  return define(shipped ?? readText(text, adviceFor(name)), text);
};

const adviceFor = (name: string) =>
  `Pass ${name} a deployment.json, or given-only, which ships with the package.`;

function define(text: string, file: string): Deployment {
  const value = parseJson(text);
  if (value === undefined) throw new UsageError(`${file} is not valid JSON.`);
  try {
    return defineDeployment(value as object);
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`);
  }
}

export const deploymentFlag = option(
  'FILE',
  'What the service does differently: a deployment.json',
  deployment,
  { env: 'CONTENTGEN_DEPLOYMENT' },
);

export const deploymentText = (lines: object): string => {
  const $schema = './node_modules/contentgen/deployment.schema.json';
  return `${JSON.stringify({ $schema, ...lines }, undefined, 2)}\n`;
};

/** The deployment in the file that `--save` names, if there is such a file: anything else is never overwritten. */
export function readSaved(file: string | undefined): Deployment | undefined {
  // Checked first: after all the calls it would be too late.
  if (file !== undefined && !statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--save cannot write ${file}: its folder does not exist.`);
  if (file === undefined || lstatSync(file, { throwIfNoEntry: false }) === undefined)
    return undefined;
  return define(readText(file, adviceFor('--save')), file);
}

/** Writes the file of `--save`. One that has come into being since it was read is not overwritten. */
export function writeOutput(file: string, text: string, isReplaced: boolean): void {
  try {
    writeFileSync(file, text, { flag: isReplaced ? 'w' : 'wx' });
  } catch (error) {
    throw new UsageError(`Failed to write ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
}
