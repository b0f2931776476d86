import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { deliver, sampleEvent } from 'contentgen/testing';
import { signWebhook } from 'contentgen/webhooks';
import { describe, expect, onTestFinished, test } from 'vitest';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const receiver = fileURLToPath(new URL('../../../examples/python/receiver.py', import.meta.url));
const standIn = fileURLToPath(new URL('python-stand-in', import.meta.url));
const python = succeeds('import http.server') ? 'python3' : undefined;

if (!python) {
  if (process.env['CI'] === 'true')
    throw new Error('python3 is not installed. CI must run these tests.');
  console.warn('skipped: python3 is not installed');
}

describe.runIf(python)('the Python receiver', () => {
  test('verifies signed deliveries, handles each once and rejects the rest', async () => {
    const { url, lines } = await start();
    const event = sampleEvent('usage_threshold');

    expect((await deliver(url, event, { secret, duplicates: 1 })).ok).toBe(true);
    expect(lines()).toEqual([expect.stringMatching(/^usage_threshold org_/)]);
    for (const tamper of ['body', 'signature', 'id', 'timestamp'] as const) {
      const { attempts } = await deliver(url, event, { secret, tamper });
      expect(attempts.map(({ status }) => status)).toEqual([400]);
    }
    const old = await deliver(url, event, { secret, skewSeconds: -400 });
    expect(old.attempts[0]?.status).toBe(400);
  });

  test('responds with 400 to signatures that the library cannot parse', async () => {
    const { url } = await start();
    const signed = await signWebhook({ body: '{}', secret });
    for (const signature of ['no-comma', 'v1,a', 'v1,é', 'v1,a,b']) {
      const headers = { ...signed, 'webhook-signature': signature };
      const { status } = await fetch(url, { method: 'POST', body: '{}', headers });
      expect([signature, status]).toEqual([signature, 400]);
    }
  });
});

async function start() {
  const installed = succeeds('import standardwebhooks');
  if (!installed)
    console.warn('The PyPI package standardwebhooks is not installed; using a stand-in.');
  const child = spawn('python3', [receiver, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CONTENTGEN_WEBHOOK_SECRET: secret,
      ...(!installed && { PYTHONPATH: standIn }),
    },
  });
  onTestFinished(() => void child.kill());
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  while (!text.includes('\n')) await once(child.stdout, 'data');
  const [url = ''] = text.split('\n');
  return { url, lines: () => text.split('\n').slice(1, -1) };
}

function succeeds(program: string): boolean {
  try {
    execFileSync('python3', ['-c', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
