import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/sources.ts';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { permissions, jobs } = parse(read('.github/workflows/ci.yml')) as {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
};
const { release, ...others } = jobs;

describe('the pipeline', () => {
  test('uses every action by its commit', () => {
    const used = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ uses }) => uses ?? []),
    );
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  });

  test('gives each job only its own permissions', () => {
    expect(permissions).toEqual({});
    const written = Object.entries(others).flatMap(([name, job]) =>
      Object.entries(job.permissions ?? { none: 'given' })
        .filter(([, access]) => access !== 'read')
        .map(([scope]) => `${name}: ${scope}`),
    );
    expect(written).toEqual(['image: packages']);
  });

  test('releases from a protected environment, without scripts of dependencies beside its token', () => {
    expect(release?.environment).toBe('release');
    const installs = (release?.steps ?? []).flatMap(({ run }) => run?.match(/npm ci.*/) ?? []);
    expect(installs).toEqual(['npm ci --ignore-scripts']);
  });
});

test('the image is built from images by their digest', () => {
  const froms = read('Dockerfile').matchAll(/^FROM (?:--\S+ )?(\S+)/gm);
  const bases = [...froms].map(([, base = '']) => base);
  expect(bases).toHaveLength(3);
  expect(bases.filter((base) => !/@sha256:[0-9a-f]{64}$/.test(base))).toEqual([]);
});
