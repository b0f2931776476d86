import { describe, expect, test } from 'vitest';
import { examine } from '../support/dialects/examine.ts';
import { serve } from '../support/dialects/service.ts';

describe('a generation at a path that only the user knows, with its jobs elsewhere', () => {
  const generateContent = '/llm/make/it';
  const job = { requestId: 'r1', status: 'completed', result: 'Hi', model: 'm' };
  const done = { ...job, usage: { totalTokens: 1 } };
  const examineWith = async (paths: object, started: object = done) => {
    const known = { apiKey: 'key-of-the-test', secret: 's' };
    const service = await serve(known, ({ method, path }) => {
      if (method === 'POST' && path === generateContent) return { status: 200, body: started };
      return method === 'GET' && path === '/llm/tasks/r1'
        ? { status: 200, body: done }
        : { status: 404, body: { code: 'x', message: 'y' } };
    });
    return examine(service, {
      ...{ deployment: { paths: { generateContent, ...paths } }, timeoutMs: 300 },
      allowWrites: false,
    });
  };
  const absent = (report: Awaited<ReturnType<typeof examineWith>>) =>
    report.deployment['absent'] ?? [];

  test('a path derived from it that is missing is a guess, and in no file', async () => {
    const report = await examineWith({});
    expect(report.lines).toContainEqual(
      expect.objectContaining({
        ...{ line: 'absent.getGeneration', value: true, confirm: true },
        evidence: expect.stringMatching(/^GET \/llm\/make\/it\/\{requestId\} → 404 .*derived/),
      }),
    );
    expect(absent(report)).not.toContain('getGeneration');
    expect(absent(report)).toContain('getUsage');
  });

  test('a service that only starts jobs is not failed for it', async () => {
    const { proof } = await examineWith({}, { requestId: 'r1', status: 'processing' });
    expect(proof.filter(({ ok }) => ok === false)).toEqual([]);
  });

  test('a given path is found, or shows that the operation is absent', async () => {
    const right = await examineWith({ getGeneration: '/llm/tasks/{requestId}' });
    expect(right.lines.map(({ line }) => line)).not.toContain('absent.getGeneration');
    const wrong = await examineWith({ getGeneration: '/llm/jobs/{requestId}' });
    expect(absent(wrong)).toContain('getGeneration');
  });
});
