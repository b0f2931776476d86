import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const paths = {
  chromium: () => [process.env['CHROMIUM_PATH'], ...onPath('chromium', 'google-chrome')],
  redis: () => onPath('redis-server', 'valkey-server'),
  postgres: () => [...debianPostgres(), ...onPath('postgres')],
};

const wanted = new Set<string>();

/** A program that a part of the tests runs against. */
export type Need = keyof typeof paths;

/** Where the program is, or undefined on a machine without it. */
export function locate(need: Need): string | undefined {
  return paths[need]().find((path) => path !== undefined && existsSync(path));
}

/**
 * Whether the program is here: `describe.runIf(needs('redis'))`. Missing, the tests are skipped with
 * a visible line; under `CI=true` that is an error, so that no part is left out unnoticed.
 */
export function needs(need: Need): boolean {
  if (locate(need)) return true;
  if (process.env['CI'] === 'true') throw new Error(`CI runs these tests: ${need} is missing.`);
  if (!wanted.has(need)) console.warn(`skipped: ${need} is not installed`);
  wanted.add(need);
  return false;
}

function onPath(...names: string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

function debianPostgres(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin', 'postgres'));
}
