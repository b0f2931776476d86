import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/sources.ts';

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly { readonly run?: string }[];
}

const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { permissions, jobs } = parse(read('.github/workflows/ci.yml')) as {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
};
const { release, ...others } = jobs;

describe('the pipeline', () => {
  test('uses every action by its commit, and names its version', () => {
    const files = globSync('.github/**/*.{yml,yaml}', { cwd: root });
    const lines = files.flatMap((file) => read(file).match(/^.*\buses:.*$/gm) ?? []);
    expect(lines.length).toBeGreaterThan(10);
    const pinned = /^ +(?:- )?uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(lines.filter((line) => !pinned.test(line))).toEqual([]);
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
    // A publishing identity in place of a token.
    expect(release?.permissions).toMatchObject({ 'id-token': 'write' });
    expect(JSON.stringify(release)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
    expect(read('scripts/release.mjs')).toMatch(/'stage', 'publish', .*\.\.\.provenance/);
  });
});

test('the image is built from images by their digest', () => {
  const froms = read('Dockerfile').matchAll(/^FROM (?:--\S+ )?(\S+)/gm);
  const bases = [...froms].map(([, base = '']) => base);
  expect(bases).toHaveLength(3);
  expect(bases.filter((base) => !/@sha256:[0-9a-f]{64}$/.test(base))).toEqual([]);
});

test('installing the package runs no script', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
});
