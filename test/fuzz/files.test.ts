import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../mock-server/cli/run.ts';
import { createMockServer } from '../../mock-server/index.ts';
import { sqliteStore } from '../../mock-server/stores/sqlite.ts';
import { DataFileError } from '../../mock-server/stores/sqlite-file.ts';
import { check, patience } from './check.ts';
import { bytes, headerValue, jsonObject, text } from './hostile.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'contentgen-fuzz-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('files given to the command', { timeout: patience }, () => {
  test('any saved request is explained or rejected, and the secret is never printed', async () => {
    const line = fc.tuple(
      fc.oneof(fc.constantFrom('webhook-id', 'Webhook-Timestamp', 'X-Service-Signature'), text),
      headerValue,
    );
    const headers = fc.oneof(
      fc.array(line).map((lines) => lines.map((pair) => pair.join(': ')).join('\r\n')),
      fc.array(line).map((lines) => JSON.stringify(Object.fromEntries(lines))),
      jsonObject.map((value) => JSON.stringify(value)),
      text,
    );
    await check(
      fc.asyncProperty(headers, bytes, async (headers, body) => {
        const names = [join(folder, 'request.headers'), join(folder, 'request.body')] as const;
        writeFileSync(names[0], headers);
        writeFileSync(names[1], body);
        const lines: string[] = [];
        const code = await run(
          ['doctor', '--secret', secret, '--headers', names[0], '--body', names[1]],
          {
            out: (line) => void lines.push(line),
            err: (line) => void lines.push(`error: ${line}`),
            paint: (_, text) => text,
            paintErr: (_, text) => text,
            env: {},
          },
        );
        const printed = lines.join('\n');
        expect(code).toBe(1);
        expect(printed).toMatch(/signature/);
        expect(printed).not.toMatch(/^error:/m);
        expect(printed).not.toContain(secret.slice(6));
      }),
      40,
    );
  });

  test('any data file, damaged or not, is opened, or rejected and left unchanged', async () => {
    const path = join(folder, 'contentgen.db');
    const store = sqliteStore(path);
    const mock = createMockServer({ store, clock: 'manual', seed: 1 });
    await mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
      method: 'POST',
      headers: { 'X-API-Key': mock.adminKey, 'Content-Type': 'application/json' },
      body: '{"prompt":"Hi"}',
    });
    await store.flushed();
    await mock.close();
    store.close();
    const whole = readFileSync(path);
    const damage = fc.oneof(
      bytes.map((content) => Buffer.from(content)),
      fc.tuple(fc.nat({ max: whole.length - 1 }), bytes).map(([at, patch]) => {
        const changed = Buffer.from(whole);
        changed.set(Buffer.from(patch).subarray(0, changed.length - at), at);
        return changed;
      }),
      fc.nat({ max: whole.length - 1 }).map((length) => whole.subarray(0, length)),
    );
    await check(
      fc.asyncProperty(damage, async (content) => {
        const file = join(folder, 'damaged.db');
        for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
        writeFileSync(file, content);
        try {
          sqliteStore(file).close();
        } catch (error) {
          if (!(error instanceof DataFileError)) throw error;
          expect(readFileSync(file).equals(content)).toBe(true);
        }
      }),
    );
  });
});
