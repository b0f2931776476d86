import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { verify as octokitVerify } from '@octokit/webhooks-methods';
import OpenAI from 'openai';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { signWebhook, verifyWebhook } from '../../src/webhooks/index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const text = 'a secret of any text';

/** Returns what verifies one delivery: bytes in, payload out. */
export type Verifier = () => () => unknown;

/**
 * All verifiers get the same delivery, as bytes and Node headers; if `forged`, its signature is wrong. `hmac` is the lower
 * bound: only `createHmac` with a prepared key and `timingSafeEqual`. Octokit checks neither id nor time.
 */
export async function verifiers(size: number, forged: boolean): Promise<Record<string, Verifier>> {
  const filler = 'x'.repeat(size - 60);
  const body = Buffer.from(JSON.stringify({ event: 'usage_threshold', organization: filler }));
  const signed = await signWebhook({ id: 'msg_01kdvsz0g0m3k5h7j9n1b2d4se', body, secret });
  const [id = '', time = ''] = [signed['webhook-id'], signed['webhook-timestamp']].map(received);
  const mac = (key: string | Buffer, content: string, encoding: 'hex' | 'base64') => {
    const digest = createHmac('sha256', key).update(content).update(body).digest(encoding);
    return forged ? (digest.startsWith('a') ? 'b' : 'a') + digest.slice(1) : digest;
  };
  const keyBytes = Buffer.from(secret.slice(6), 'base64');
  const signature = received(`v1,${mac(keyBytes, `${id}.${time}.`, 'base64')}`);
  const common = {
    host: 'app.example',
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'contentgen-webhooks/1.0.0',
    accept: '*/*',
    connection: 'keep-alive',
  };
  const standard = { ...common, 'webhook-id': id, 'webhook-timestamp': time };
  const headers = { ...standard, 'webhook-signature': signature };
  const ours = { ...headers, 'x-service-signature': signature };
  const stripeHeader = received(`t=${time},v1=${mac(text, `${time}.`, 'hex')}`);
  const octokitHeader = received(`sha256=${mac(text, '', 'hex')}`);

  const key = createSecretKey(keyBytes);
  const given = Buffer.from(signature.slice(3), 'base64');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const hmac = () => {
    const digest = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
    return timingSafeEqual(digest, given);
  };
  const parse = () => JSON.parse(decoder.decode(body));
  const standardWebhook = new StandardWebhook(secret);
  const svixWebhook = new SvixWebhook(secret);
  const stripe = new Stripe('unused');
  // In production nothing is diagnosed either.
  const logger = { ...console, diagnose: false };
  const openai = new OpenAI({ apiKey: 'unused', webhookSecret: secret });
  const all: Record<string, () => unknown> = {
    hmac: async () => hmac(),
    parse: async () => parse(),
    contentgen: () => verifyWebhook({ body, headers: ours, secret, logger }),
    octokit: async () =>
      (await octokitVerify(text, body.toString(), octokitHeader)) && JSON.parse(body.toString()),
    ...(forged && {
      'octokit, throwing like its receiver': async () => {
        const valid = await octokitVerify(text, body.toString(), octokitHeader);
        if (!valid) throw new Error('signature does not match event payload and secret');
      },
    }),
    stripe: async () => stripe.webhooks.constructEvent(body, stripeHeader, text),
    standardwebhooks: async () => standardWebhook.verify(body.toString(), headers),
    svix: async () => svixWebhook.verify(body.toString(), headers),
    openai: () => openai.webhooks.unwrap(body.toString(), headers),
  };
  // Thrown errors count.
  const rejected = (verify: () => unknown) => async () => {
    try {
      await verify();
    } catch {}
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, verify]) => [name, () => (forged ? rejected(verify) : verify)]),
  );
}

/** A flat string, as a socket's parser creates it, not the rope that concatenation leaves. */
function received(text = ''): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
