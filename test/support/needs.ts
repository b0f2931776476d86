import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const paths = {
  chromium: () => [process.env['CHROMIUM_PATH'], ...onPath('chromium', 'google-chrome')],
  redis: () => onPath('redis-server', 'valkey-server'),
  postgres: () => [...debianPostgres(), ...onPath('postgres')],
  // Debian installs it in a folder that is only on root's PATH.
  pgbouncer: () => [...onPath('pgbouncer'), '/usr/sbin/pgbouncer'],
  // npm ci --prefix test/foreign
  foreign: () => [fileURLToPath(new URL('../foreign/node_modules', import.meta.url))],
};

const wanted = new Set<string>();

/** A program that some of the tests need, or the packages of `test/foreign`. */
export type Need = keyof typeof paths;

/** The program's path, or undefined if it is not installed. */
export function locate(need: Need): string | undefined {
  return paths[need]().find((path) => path !== undefined && existsSync(path));
}

/**
 * Whether the program is installed: `describe.runIf(needs('redis'))`. If it is missing, the tests are skipped and a
 * line says so; under `CI=true` a missing program is an error, so that no test is skipped unnoticed.
 */
export function needs(need: Need): boolean {
  if (locate(need)) return true;
  if (process.env['CI'] === 'true')
    throw new Error(`${need} is not installed. CI must run these tests.`);
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
