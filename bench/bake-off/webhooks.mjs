import { createHmac } from 'node:crypto';
import { verify as octokitVerify } from '@octokit/webhooks-methods';
import { WorkOS } from '@workos-inc/node';
import OpenAI from 'openai';
import { Resend } from 'resend';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { importOurs } from './outcome.mjs';

const { verifyWebhook } = await importOurs('webhooks.js', 'webhooks/index.ts');

const secretBytes = Buffer.from('a-secret-of-more-than-24-bytes-for-tests');
const whsec = `whsec_${secretBytes.toString('base64')}`;
const body = JSON.stringify({ type: 'x', event: 'data_updated', organization: 'org_1', data: {} });
const hmac = (key, text, encoding) => createHmac('sha256', key).update(text).digest(encoding);

const standard = (at) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at),
  'webhook-signature': `v1,${hmac(secretBytes, `msg_1.${at}.${body}`, 'base64')}`,
});

/** Verifies a message signed at `at` (Unix seconds), with the library's defaults. */
export const verifiers = {
  contentgen: (at) => {
    const { 'webhook-signature': signature, ...rest } = standard(at);
    const headers = { ...rest, 'webhook-signature': signature, 'x-service-signature': signature };
    return verifyWebhook({ body, headers, secret: whsec });
  },
  'openai 7.57': (at) =>
    new OpenAI({ apiKey: 'k', webhookSecret: whsec }).webhooks.unwrap(body, standard(at)),
  'stripe 23.1': (at) =>
    new Stripe('k').webhooks.constructEvent(
      body,
      `t=${at},v1=${hmac('stripe-secret', `${at}.${body}`, 'hex')}`,
      'stripe-secret',
    ),
  'workos 11.0': (at) =>
    new WorkOS('k').webhooks.verifyHeader({
      payload: JSON.parse(body),
      sigHeader: `t=${at * 1000}, v1=${hmac('workos-secret', `${at * 1000}.${body}`, 'hex')}`,
      secret: 'workos-secret',
    }),
  'svix 2.5': (at) => new SvixWebhook(whsec).verify(body, standard(at)),
  'resend 6.38': (at) => {
    const headers = standard(at);
    return new Resend('k').webhooks.verify({
      payload: body,
      headers: {
        id: headers['webhook-id'],
        timestamp: headers['webhook-timestamp'],
        signature: headers['webhook-signature'],
      },
      webhookSecret: whsec,
    });
  },
  'octokit core 7.0': async () => {
    if (!(await octokitVerify('s', body, `sha256=${hmac('s', body, 'hex')}`)))
      throw new Error('no');
    return 'untimed';
  },
  'standardwebhooks 1.1': (at) => new StandardWebhook(whsec).verify(body, standard(at)),
};

/** Tries messages dated now, an hour ago and an hour ahead. */
export async function judge(verify) {
  const now = Math.floor(Date.now() / 1000);
  const accepts = async (at) => {
    try {
      return { ok: true, value: await verify(at) };
    } catch {
      return { ok: false };
    }
  };
  const current = await accepts(now);
  if (!current.ok) return 'does not verify in this test';
  if (current.value === 'untimed') return '✗ does not check the time';
  const past = await accepts(now - 3600);
  const future = await accepts(now + 3600);
  if (past.ok) return '✗ accepts the old one';
  return future.ok ? '✗ accepts the one from the future' : '✓ both rejected';
}
