import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReading } from '../../support/dialects/reading.ts';
import { dialects } from '../../support/dialects/readings.ts';
import type { Served } from '../../support/dialects/service.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFile } from '../../support/temporary.ts';
import { start } from './command.ts';
import { invoke, served } from './invoke.ts';

/** A path for a deployment, with a file if there is content. */
const file = (name: string, content?: object) =>
  temporaryFile(name, content && JSON.stringify(content));

const path = '/api/ai/content/generate';
const signed = '"type":"hmac","format":"sha256={signature}"';
const content = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The arguments for a service, with a receiver on a free port. */
async function argumentsFor(service: Served): Promise<string[]> {
  onTestFinished(() => service.close());
  const { baseUrl, apiKey, secret } = service;
  const receiver = `http://127.0.0.1:${await freePort()}/callbacks`;
  return [
    ...['conform', '--base-url', baseUrl, '--api-key', apiKey, '--secret', secret],
    ...['--receiver-url', receiver, '--timeout', '10', '--allow-writes'],
  ];
}

describe('contentgen conform', () => {
  test('writes each line with what shows it, proves the file, and prints no secret; --check names each later change in one line, and ends with 1', async () => {
    const service = await startReading(dialects.snakeCase);
    const saved = file('deployment.json');
    const original = await argumentsFor(service);
    const { code, out, err } = await invoke([...original, '--save', saved]);
    expect(code, out).toBe(0);
    expect(err).toMatch(/^Receiving callbacks on port \d+/);
    expect(out).toMatch(
      /^fields\.requestId: "request_id"\n {4}POST \/api\/ai\/content\/generate → 200 \{ request_id, result/m,
    );
    expect(out).toMatch(/^getUsage is absent\n {4}GET \/api\/usage → 404/m);
    expect(out).toMatch(/^Worked: a callback: verifyWebhook/m);
    expect(out).toContain(`Written: ${saved}`);
    expect(content(saved)).toMatchObject({ fields: { requestId: 'request_id' } });
    for (const secret of [service.apiKey, service.secret]) expect(out + err).not.toContain(secret);

    const check = async (args: readonly string[]) => {
      const { code, out } = await invoke([...args, '--check', saved]);
      return [code, out.match(/^(Changed: .*|Nothing differs)/gm)] as const;
    };
    expect(await check(original)).toEqual([0, ['Nothing differs']]);
    const { names, paths } = dialects.snakeCase;
    const moved = path.replace('api', 'api/v2');
    const changed = await startReading({
      ...dialects.snakeCase,
      names: { ...names, requestId: 'generation_id' },
      words: { started: 'accepted' },
      paths: { ...paths, generate: moved },
      sign: (body: string, secret: string) => ({
        'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
      }),
    });
    const [differs, lines] = await check(await argumentsFor(changed));
    expect([differs, lines?.toSorted()]).toEqual([
      1,
      [
        'Changed: fields.requestId: was "request_id", is "generation_id"',
        `Changed: paths.generateContent: was "${path}", is "${moved}"`,
        `Changed: scheme: was {${signed}}, is {${signed.replace(',', ',"encoding":"base64",')}}`,
        'Changed: statuses.processing: was "processing", is "accepted"',
      ],
    ]);
  });

  test('ends with 3, and writes nothing, when the service asks to wait longer than the budget', async () => {
    const saved = file('deployment.json', { wrap: 'data' });
    const service = await startReading({
      ...dialects.rateLimited,
      callsPerSecond: 0,
      retryAfter: 120,
    });
    const args = await argumentsFor(service);
    for (const flag of ['--check', '--save']) {
      const { code, out } = await invoke([...args, flag, saved]);
      expect([code, out]).toEqual([3, expect.stringContaining('it asks to wait 120 s')]);
    }
    expect(content(saved)).toEqual({ wrap: 'data' });
  });

  test('--json prints the whole report', async () => {
    const { mock, url } = await served();
    const args = ['--base-url', url, '--api-key', mock.adminKey, '--spend', '0', '--json'];
    const { code, out } = await invoke(['conform', ...args]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      lines: [],
      left: [],
      deployment: { idempotency: false },
    });
  });
});

test('a second Ctrl-C ends it at once, and prints what is left', async () => {
  const { mock, url } = await served();
  // The service hangs before it removes the registration.
  mock.faults.add({ operation: 'deleteWebhook', times: 1, effect: { delay: 60_000 } });
  const running = start([
    ...['conform', '--base-url', url, '--api-key', mock.adminKey, '--spend', '0', '--allow-writes'],
  ]);
  await expect.poll(() => mock.faults.list(), { timeout: 20_000 }).toEqual([]);
  running.child.kill('SIGINT');
  // Two signals at once would be one.
  await new Promise((resolve) => setTimeout(resolve, 200));
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(130);
  expect(running.stderr()).toMatch(/^Left behind: a registration of \S+ \(wh_\w+\)$/m);
});
