import Anthropic from '@anthropic-ai/sdk';
import { Octokit } from '@octokit/core';
import { WorkOS } from '@workos-inc/node';
import ky from 'ky';
import OpenAI from 'openai';
import createClient from 'openapi-fetch';
import { Resend } from 'resend';
import Stripe from 'stripe';
import { Svix } from 'svix';
import { clients } from '../bake-off/clients.mjs';

const { ContentGen } = await import('../bake-off/clients.mjs');

/** One call per client at `url`, by name, over the given `fetch`. Resend and Svix use the global `fetch`. */
export function callsOver(url, fetch) {
  const bodyOf = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'k' },
    body: '{"prompt":"p"}',
  };
  const apiFetch = createClient({ baseUrl: url, fetch, headers: { 'x-api-key': 'k' } });
  const contentgen = new ContentGen({ baseUrl: url, apiKey: 'k', fetch, logLevel: 'off' });
  const openai = new OpenAI({ baseURL: url, apiKey: 'k', fetch });
  const anthropic = new Anthropic({ baseURL: url, apiKey: 'k', fetch });
  const stripe = new Stripe('k', {
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetch),
  });
  const workos = new WorkOS('k', { apiHostname: new URL(url).hostname, fetchFn: fetch });
  const svix = new Svix('k', { serverUrl: url });
  const resend = new Resend('k', { baseUrl: url });
  const octokit = new Octokit({ baseUrl: url, auth: 'k', request: { fetch } });
  const kyClient = ky.create({ prefix: url, fetch, headers: { 'x-api-key': 'k' } });
  return {
    'fetch + json': async () => (await fetch(`${url}/api/ai/content/generate`, bodyOf)).json(),
    'openapi-fetch': () => apiFetch.POST('/api/ai/content/generate', { body: { prompt: 'p' } }),
    contentgen: () => contentgen.content.generate({ prompt: 'p' }),
    'contentgen.http': () =>
      contentgen.http.POST('/api/ai/content/generate', { body: { prompt: 'p' } }),
    resend: () => clients['resend 6.38'].post(resend),
    svix: () => clients['svix 2.5'].post(svix),
    workos: () => clients['workos 11.0'].post(workos),
    ky: () => kyClient.post('generate', { json: { prompt: 'p' } }).json(),
    octokit: () => clients['octokit core 7.0'].post(octokit),
    stripe: () => clients['stripe 23.1'].post(stripe),
    openai: () => clients['openai 7.57'].post(openai),
    anthropic: () => clients['anthropic 1.12'].post(anthropic),
  };
}
