import { createHmac } from 'node:crypto';
import { auditVerifier, createSignatureVectors } from 'contentgen/testing';
import { verifyWebhook } from 'contentgen/webhooks';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { flags as allFlags, type Flag, factsOf } from '../../src/testing/vectors/flags.ts';
import { at } from '../webhooks/support.ts';

const named = ({ results }: Awaited<ReturnType<typeof auditVerifier>>, wanted: string) =>
  results.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);
/** Public test material. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

test('our verifier judges every vector rightly, and is as strict as it can be', async () => {
  const options = { tolerance: 300, logger: { ...console, diagnose: false } };
  const report = await auditVerifier(({ secret, headers, bodyBase64, now }) => {
    const body = bytesOf(bodyBase64);
    return verifyWebhook({ ...options, secret, headers, body, now: () => now * 1000 });
  });
  expect(named(report, 'failed')).toEqual([]);
  expect(named(report, 'warning')).toEqual([
    expect.stringContaining('spaces around the signature'),
    expect.stringContaining('a byte order mark'),
  ]);
  expect(report.skipped).toBe(0);
});

test('the file in the package holds the same vectors, signed for one time', async () => {
  const vectors = await createSignatureVectors(secret, at);
  const found = [...new Set(vectors.flatMap((vector) => vector.flags))] as Flag[];
  expect(Object.keys(allFlags).sort()).toEqual(found.toSorted());
  const flags = Object.fromEntries(found.map((flag) => [flag, factsOf(flag).advice]));
  const about =
    'Deliveries of Standard Webhooks. A verifier with this secret, at the time now (Unix seconds), with a tolerance of 300 s, must accept what is valid and reject what is invalid; acceptable is what nobody could exploit.';
  const head = JSON.stringify({ about, flags }).slice(0, -1);
  const lines = vectors.map((vector) => JSON.stringify(vector)).join(',\n');
  const text = `${head},\n"vectors":[\n${lines}\n]}`;
  await expect(`${text}\n`).toMatchFileSnapshot('../../vectors/webhook-signatures.json');
});

test('node:crypto makes the same signatures, and no forged one', async () => {
  for (const vector of await createSignatureVectors(secret, at)) {
    const { headers, bodyBase64, result, flags } = vector;
    const key = Buffer.from(vector.secret.slice(6), 'base64');
    const head = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
    const mac = createHmac('sha256', key).update(head).update(bytesOf(bodyBase64));
    const listed = (headers['webhook-signature'] ?? '').split(' ');
    const isSigned = listed.includes(`v1,${mac.digest('base64')}`);
    if (result === 'valid' || /Stale|Early/.test(`${flags}`)) expect(isSigned).toBe(true);
    else if (result === 'invalid') expect(isSigned).toBe(false);
  }
});

test('what accepts or rejects everything fails, and the official library does not', async () => {
  const vectors = await createSignatureVectors(secret, at);
  const count = (wanted: string) => vectors.filter(({ result }) => result === wanted).length;
  expect(await auditVerifier(() => true)).toMatchObject({
    failed: count('invalid'),
    warnings: count('acceptable'),
  });
  expect(await auditVerifier(() => false)).toMatchObject({ ok: false, failed: count('valid') });
  const report = await auditVerifier(({ secret, headers, bodyBase64 }) =>
    new Webhook(secret).verify(Buffer.from(bodyBase64, 'base64'), headers),
  );
  expect(named(report, 'failed')).toEqual([]);
  expect(report).toMatchObject({ ok: true, skipped: 0 });
  expect(report.warnings).toBeGreaterThan(3);
});
