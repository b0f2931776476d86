import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { mock, STOP_MS } from '../../../mock-server/cli/commands/mock.ts';
import { parseCommandLine } from '../../../mock-server/cli/parse-command-line.ts';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer } from '../../../mock-server/index.ts';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8');

const page = read('docs/shared-server.md');
const [compose, ...kubernetes] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].flatMap(([, text]) =>
  parseAllDocuments(text ?? '').map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  }),
);
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
    expect(flags).toMatchObject({ host: '0.0.0.0', port: 4010 });
    expect(flags.data?.startsWith(`${volume}/`)).toBe(true);
    expect(dockerfile).toContain(`EXPOSE ${flags.port}`);
  });

  test('builds and runs with the pinned Node, whose libraries an image of another major version lacks', () => {
    const [major] = read('.node-version').split('.');
    const images = dockerfile.match(/(?<=^FROM .*)\bnode:\d+/gm);
    expect(new Set(images)).toEqual(new Set([`node:${major}`]));
  });

  test('runs no command for another processor, which would need an emulator', () => {
    const [, image = ''] = dockerfile.split(/^FROM .*alpine$/m);
    expect(image).toContain('COPY --from=install');
    expect(image).not.toMatch(/^RUN /m);
    expect(read('.github/workflows/ci.yml')).not.toContain('qemu');
  });

  test('copies what the build needs before it builds, and runs the server as an unprivileged user', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['package.json', 'package-lock.json', '.npmrc', 'openapi.yaml', 'scripts']) {
      expect(ignored).not.toContain(name);
    }
    expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('FROM '));
  });
});

describe("the guide's Compose file", () => {
  const { services, configs, volumes } = compose;

  test('starts two servers on one database with options that exist', () => {
    const { command, environment, deploy } = services.mock;
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const flags = flagsOf(command.split(' '), { CONTENTGEN_DATA: environment.CONTENTGEN_DATA });
    const { hostname, pathname, password } = new URL(String(flags.data));
    const database = services.db.environment;
    expect([hostname, pathname, password]).toEqual([
      'db',
      `/${database.POSTGRES_DB}`,
      database.POSTGRES_PASSWORD,
    ]);
    expect(deploy.replicas).toBe(2);
  });

  test('each name that it uses is defined', () => {
    for (const service of Object.values<{ depends_on?: object; configs?: { source: string }[] }>(
      services,
    )) {
      expect(Object.keys(services)).toEqual(
        expect.arrayContaining(Object.keys(service.depends_on ?? {})),
      );
      for (const { source } of service.configs ?? []) expect(configs).toHaveProperty(source);
    }
    expect(services.db.volumes[0].split(':')[0]).toBe(Object.keys(volumes)[0]);
    expect(services.proxy.ports).toEqual([
      `${new URL(/--public-url (\S+)/.exec(services.mock.command)?.[1] ?? '').port}:80`,
    ]);
  });
});

describe("the proxy of the guide's Compose file", () => {
  // In a Compose file, $$ stands for $.
  const directives = compose.configs.proxy.content.replaceAll('$$', '$');

  test('resolves the servers while it runs, because a restarted container gets another address', () => {
    expect(directives).toMatch(/^\s*resolver 127\.0\.0\.11 valid=1s;$/m);
    // nginx resolves a fixed name only once, and leaves out an upstream that failed for 10 s.
    const [, name = '', address] = /set (\$\w+) (\S+);/.exec(directives) ?? [];
    expect(address).toBe(`mock:${flagsOf(compose.services.mock.command.split(' ')).port}`);
    expect(directives).toContain(`proxy_pass http://${name};`);
  });

  test('waits for a database that is slow to start, until it accepts network connections', () => {
    const { test: command, start_period: patience } = compose.services.db.healthcheck;
    expect(command).toMatch(/^pg_isready -h 127\.0\.0\.1 /);
    expect(patience).toBe('1m');
  });
});

describe("the guide's Kubernetes sketch", () => {
  const [deployment, service] = kubernetes;
  const [container] = deployment.spec.template.spec.containers;

  test('the service selects the containers, which run a valid command', () => {
    const { labels } = deployment.spec.template.metadata;
    expect(labels).toEqual(deployment.spec.selector.matchLabels);
    expect(service.spec.selector).toEqual(labels);
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].containerPort);
    const address = container.args.map((text: string) => text.replace('$(POD_IP)', '10.0.0.1'));
    expect(flagsOf(address)).toMatchObject({ port: 4010, advertise: 'http://10.0.0.1:4010' });
    const names = container.env.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name !== 'POD_IP' && !known.has(name))).toEqual([]);
  });

  test('checks readiness at a path where standbys respond too', () => {
    expect(container.readinessProbe.httpGet).toEqual({ path: '/health', port: 4010 });
  });

  test('a stopped pod has time for its pause and for the requests in flight', () => {
    const [pause, seconds] = container.lifecycle.preStop.exec.command;
    expect(pause).toBe('sleep');
    const { terminationGracePeriodSeconds: grace = 30 } = deployment.spec.template.spec;
    expect(Number(seconds) + STOP_MS / 1000).toBeLessThan(grace / 2);
  });

  test('is allowed where Kubernetes enforces the restricted Pod Security Standard', () => {
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
  });
});

test('every probe requests a path that responds without credentials', async () => {
  const server = createMockServer();
  const served = await serve(server, { port: 0, controlToken: 'only-for-the-control-api' });
  onTestFinished(async () => {
    await served.close({ graceMs: 0 });
    await server.close();
  });
  const { port } = flagsOf(JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]'));
  const [, probed = ''] = /fetch\('([^']+)'\)/.exec(dockerfile) ?? [];
  expect(new URL(probed).port).toBe(String(port));
  const [deployment] = kubernetes;
  const { path } = deployment.spec.template.spec.containers[0].readinessProbe.httpGet;
  for (const address of [new URL(probed).pathname, path]) {
    expect((await fetch(served.url + address)).status).toBe(200);
  }
});

describe('the pipeline', () => {
  interface Step {
    readonly uses?: string;
    readonly run?: string;
    readonly if?: string;
    readonly with?: Record<string, string | boolean>;
  }
  const { jobs } = parse(read('.github/workflows/ci.yml')) as {
    jobs: Record<string, { needs?: string | string[]; steps: Step[] }>;
  };
  const steps = (job: string) => jobs[job]?.steps ?? [];
  const using = (job: string, action: string) =>
    steps(job).filter(({ uses }) => uses?.startsWith(`${action}@`));
  const needs = (job: string) => [jobs[job]?.needs ?? []].flat();

  test('builds and starts the image for every change, and publishes it with a release', () => {
    const builds = (job: string) => using(job, 'docker/build-push-action').map((step) => step.with);
    expect(builds('container')).toContainEqual(expect.objectContaining({ load: true }));
    expect(builds('image')).toMatchObject([{ push: true }]);
    expect(needs('release')).toContain('container');
    expect(needs('image')).toEqual(['release']);
  });

  test('packs the package once, after every check, and each image contains that tarball', () => {
    const check = steps('check');
    const saved = using('check', 'actions/upload-artifact').find(
      (step) => step.with?.['name'] === 'package',
    );
    const path = String(saved?.with?.['path']);
    const packed = check.findIndex(({ run }) => run?.includes('npm pack --ignore-scripts'));
    expect(packed).toBeGreaterThan(check.findIndex(({ run }) => run === 'bash .ci/run'));
    expect(check[packed]?.run).toContain(`--pack-destination ${path.split('/')[0]}`);
    expect(saved?.if).toBeUndefined();
    expect(needs('container')).toContain('check');
    for (const job of ['container', 'image']) {
      const [download] = using(job, 'actions/download-artifact');
      expect(download?.with).toMatchObject({ name: 'package' });
      const [image] = using(job, 'docker/build-push-action').filter(
        (step) => step.with?.['load'] || step.with?.['push'],
      );
      expect(image?.with?.['build-contexts']).toBe(`package=${download?.with?.['path']}`);
    }
  });

  test('the stage that the tarball replaces is one that the image takes nothing else from', () => {
    expect(dockerfile).toMatch(/^FROM \S+ node:\S+ AS package$/m);
    expect(dockerfile.match(/^COPY --from=package .*$/gm)).toEqual([
      'COPY --from=package /contentgen-*.tgz /tmp/',
    ]);
    expect(dockerfile.match(/npm run build/g)).toHaveLength(1);
    expect(dockerfile.indexOf('npm run build')).toBeLessThan(dockerfile.indexOf(' AS install'));
  });

  test('still builds the package from the sources, as the guide does', () => {
    const targets = using('container', 'docker/build-push-action').map(
      (step) => step.with?.['target'],
    );
    expect(targets).toContain('package');
  });
});
