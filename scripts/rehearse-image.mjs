import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, linkSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../test/support/free-port.ts';

const NAME = 'contentgen-rehearsal';

/**
 * Builds, calls and stops the image with the container engine of this machine. Without one, does what the Dockerfile says
 * layer by layer: installs the tarball into an empty root, with only Node and its libraries beside it, and starts the command
 * there.
 */
export async function rehearseImage({ root, folder, tarball, run, assert }) {
  const port = await freePort();
  for (const engine of ['docker', 'podman']) {
    const works = await run(root, engine, 'info').then(
      () => true,
      () => false,
    );
    if (works) return withEngine({ engine, root, tarball, port, run, assert });
  }
  console.log('  (no container engine runs here: layer by layer)');
  await withoutEngine({ root, folder, tarball, port, run, assert });
}

async function withEngine({ engine, root, tarball, port, run, assert }) {
  const context = `package=${dirname(tarball)}`;
  await run(root, engine, 'build', '--build-context', context, '--tag', NAME, '.');
  const published = `127.0.0.1:${port}:4010`;
  await run(root, engine, 'run', '--detach', '--name', NAME, '--publish', published, NAME);
  try {
    await callAndStop(port, assert, async () => {
      await run(root, engine, 'stop', NAME);
      return run(root, engine, 'inspect', '--format', '{{.State.ExitCode}}', NAME);
    });
  } finally {
    await run(root, engine, 'rm', '--force', NAME);
  }
}

async function withoutEngine({ root, folder, tarball, port, run, assert }) {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const find = (pattern) => pattern.exec(dockerfile)[1];
  const image = join(folder, 'image');
  mkdirSync(image);
  const install = find(/^RUN (npm install --global .+)$/m)
    .replaceAll('/image', image)
    .replace('/tmp/contentgen-*.tgz', tarball);
  await run(folder, 'sh', '-c', install);
  const [name, ...rest] = [find(/^ENTRYPOINT (.+)$/m), find(/^CMD (\["mock".+)$/m)].flatMap(
    (list) => JSON.parse(list),
  );

  // Only root can change the root; otherwise, the files are started where they are.
  const isRoot = process.getuid?.() === 0;
  const place = (from, to) => {
    mkdirSync(dirname(to), { recursive: true });
    try {
      linkSync(realpathSync(from), to);
    } catch {
      copyFileSync(from, to);
    }
  };
  place(process.execPath, join(image, 'usr/local/bin/node'));
  if (isRoot) {
    const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
    for (const [path] of libraries.matchAll(/\/\S+/g)) place(path, join(image, path));
    execFileSync('chown', ['1000:1000', join(image, 'data')]);
  }
  const inside = isRoot ? '' : image;
  const [program, ...options] = [
    ...(isRoot ? ['chroot', '--userspec=1000:1000', image] : []),
    ...['node', name].map((file) => `${inside}/usr/local/bin/${file}`),
    ...rest.map((text) => text.replace(/^\/data\//, `${inside}/data/`)),
    ...['--port', String(port)],
  ];
  const child = spawn(program, options, {
    env: { NODE_ENV: 'production', PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await callAndStop(port, assert, async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      return signal ?? String(code);
    });
  } finally {
    child.kill('SIGKILL');
  }
}

async function callAndStop(port, assert, stop) {
  const health = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; tries < 150 && !(await health()); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert(await health(), 'it starts and responds');
  const start = performance.now();
  assert((await stop()) === '0', 'SIGTERM stops it with exit code 0');
  assert(performance.now() - start < 1000, 'within a second');
}
