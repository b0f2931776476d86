import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../src/testing/index.ts';
import { invoke, served } from './invoke.ts';

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'conform-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return (name: string) => join(path, name);
}

describe('contentgen conform', () => {
  test('saves what it found, and another run notices a change in either direction', async () => {
    const { mock, url } = await served();
    const file = folder();
    const args = ['conform', '--base-url', url, '--api-key', mock.adminKey];
    const outputs = ['--junit', file('junit.xml'), '--markdown', file('table.md')];
    const { code, out, err } = await invoke([
      ...args,
      '--save',
      file('deployment.json'),
      ...outputs,
    ]);
    expect(code, out).toBe(0);
    expect(err).toBe('At most 25 requests, at most 1000 tokens, about 20 s, no writes.');
    expect(out).toMatch(/^not observable keys\.create +needs --allow-writes$/m);
    expect(out).toMatch(/^\d+ passed, 1 absent, \d+ not observable\. \d+ requests, \d+ tokens\.$/m);
    expect(readFileSync(file('junit.xml'), 'utf8')).toContain('tests="38" failures="0"');
    expect(readFileSync(file('table.md'), 'utf8')).toContain('| usage.get | ours | passed |');
    expect(mock.requests().filter(({ method }) => method === 'DELETE')).toEqual([]);

    const check = ['--check', file('deployment.json')];
    expect(await invoke([...args, ...check])).toMatchObject({ code: 0 });
    const saved = JSON.parse(readFileSync(file('deployment.json'), 'utf8'));
    const { verdicts } = saved.conformance;
    // A clause that the file does not know is not counted.
    delete verdicts['poll.get'];
    for (const [was, code] of [
      ['differs', 1],
      ['passed', 0],
    ] as const) {
      verdicts['usage.get'] = was;
      writeFileSync(file('deployment.json'), JSON.stringify(saved));
      expect((await invoke([...args, ...check])).code).toBe(code);
    }
  });

  test('exits with 1 when a given clause is broken, and prints no secret', async () => {
    const { mock, url } = await served();
    const { code, out } = await invoke([
      ...['conform', '--base-url', url, '--api-key', `${mock.adminKey}x`, '--json'],
    ]);
    expect(code).toBe(1);
    const { ok, results } = JSON.parse(out);
    expect([ok, results.length]).toEqual([false, 38]);
    expect(out).not.toContain(mock.adminKey);
  });

  test('a file without verdicts cannot be checked', async () => {
    const file = folder()('none.json');
    writeFileSync(file, '{}');
    const args = ['--base-url', 'http://127.0.0.1:1', '--api-key', 'key', '--check', file];
    expect(await invoke(['conform', ...args])).toMatchObject({ code: 2 });
  });

  test.each<[string, (end: (status: number, type: string, body: string) => void) => void]>([
    ['hangs', () => {}],
    ['responds in HTML', (end) => end(200, 'text/html', '<h1>Hello</h1>')],
    ['redirects', (end) => end(302, 'text/html', '')],
    ['lies about its JSON', (end) => end(200, 'application/json', '{"requestId": ')],
    ['sends too much', (end) => end(200, 'application/json', `"${'x'.repeat(1_000_000)}"`)],
  ])('a server that %s gets a report', async (_, respond) => {
    const server = createServer((_request, response) => {
      respond((status, type, body) =>
        response.writeHead(status, { 'content-type': type, location: '/elsewhere' }).end(body),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const began = performance.now();
    const { ok, results } = await runConformance({ url, apiKey: 'key', timeoutMs: 100 });
    expect(ok).toBe(false);
    expect(results).toHaveLength(38);
    expect(results.filter(({ verdict }) => verdict === 'harness_error')).toEqual([]);
    // No service owes us our own decisions.
    expect(results.filter((one) => one.verdict === 'failed' && one.source === 'ours')).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
