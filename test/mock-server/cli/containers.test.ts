import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { mock, STOP_MS } from '../../../mock-server/cli/commands/mock.ts';
import { parseCommandLine } from '../../../mock-server/cli/parse-command-line.ts';
import { served } from '../control-api/served.ts';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8');

const [, text = ''] = /```yaml compose\n([\s\S]*?)```/.exec(read('docs/standalone.md')) ?? [];
const compose = parse(text);
const dockerfile = read('Dockerfile');

/** Every variable that a container gets must be one that the command reads. */
const known = new Set(Object.values(mock.flags).map(({ env }) => env));

function flagsOf([name, ...args]: readonly string[], env: Record<string, string> = {}) {
  expect(name).toBe('mock');
  return parseCommandLine(args, mock, env).flags;
}

describe('the Dockerfile', () => {
  test('its command is one that the server accepts, on every interface and with its data in the volume', () => {
    const flags = flagsOf(JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]'));
    const volume = /^VOLUME (\S+)$/m.exec(dockerfile)?.[1];
    expect(flags).toMatchObject({ host: '0.0.0.0', port: 4010, 'allow-private': false });
    expect(flags['allow-network']).toContain('172.16.0.0/12');
    expect(flags.data?.startsWith(`${volume}/`)).toBe(true);
    expect(dockerfile).toContain(`EXPOSE ${flags.port}`);
  });

  test('builds and runs with the pinned Node, whose libraries an image of another major version lacks', () => {
    const [major] = read('.node-version').split('.');
    const images = dockerfile.match(/(?<=^FROM .*)\bnode:\d+/gm);
    expect(new Set(images)).toEqual(new Set([`node:${major}`]));
  });

  test('copies what the build needs before it builds, runs the server as an unprivileged user, and no command for another processor, which would need an emulator', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['package.json', 'package-lock.json', '.npmrc', 'openapi.yaml', 'scripts']) {
      expect(ignored).not.toContain(name);
    }
    expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('FROM '));
    const [, image = ''] = dockerfile.split(/^FROM .*alpine@\S+$/m);
    expect(image).toContain('COPY --from=install');
    expect(image).not.toMatch(/^RUN /m);
  });
});

describe("the guide's Compose file", () => {
  const { services, volumes } = compose;
  const { command, environment, ports } = services.mock;

  test('starts the server with options and variables that exist, and its data in a volume that it defines', () => {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const { data, port, 'public-url': publicUrl } = flagsOf(command.split(' '));
    expect(ports).toEqual([`${new URL(String(publicUrl)).port}:${port}`]);
    const [volume, folder] = services.mock.volumes[0].split(':');
    expect(Object.keys(volumes)).toEqual([volume]);
    expect(String(data).startsWith(`${folder}/`)).toBe(true);
  });

  test('a stopped container has time for the requests in flight', () => {
    expect(STOP_MS).toBeLessThan(10_000);
  });
});

test('the probe requests a path that responds without credentials', async () => {
  const { url } = await served({ controlToken: 'only-for-the-control-api' });
  const { port } = flagsOf(JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]'));
  const [, probed = ''] = /fetch\('([^']+)'\)/.exec(dockerfile) ?? [];
  expect(new URL(probed).port).toBe(String(port));
  expect((await fetch(url + new URL(probed).pathname)).status).toBe(200);
});
