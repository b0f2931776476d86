import Anthropic from '@anthropic-ai/sdk';
import { Octokit } from '@octokit/core';
import { WorkOS } from '@workos-inc/node';
import ky from 'ky';
import OpenAI from 'openai';
import createClient from 'openapi-fetch';
import { Resend } from 'resend';
import Stripe from 'stripe';
import { Svix } from 'svix';
import { defined } from '../../src/options/values.ts';
import { importOurs } from './outcome.mjs';

export const { ContentGen } = await importOurs('index.js', 'index.ts');
const { paced } = await importOurs('pacing.js', 'pacing/index.ts');

/**
 * One entry per client: how to create it for a server at `url` (with a timeout in ms and a retry count, if it has such
 * options), send a billable POST, read one record, stream and poll. `credential` is the header that carries the key,
 * where a call takes other headers.
 */
export const clients = {
  contentgen: {
    make: (url, { timeout, retries }) =>
      new ContentGen({
        baseUrl: url,
        apiKey: 'secret-key',
        logLevel: 'off',
        ...defined({ timeout, idleTimeout: timeout, maxRetries: retries }),
      }),
    makePaced: (url) =>
      new ContentGen({
        baseUrl: url,
        apiKey: 'secret-key',
        logLevel: 'off',
        middleware: [paced({ concurrency: 10 })],
      }),
    post: (client, options) => client.content.generate({ prompt: 'p' }, options),
    credential: 'X-API-Key',
    get: (client, id) => client.content.get(id),
    stream: (client) => client.content.stream({ prompt: 'p' }),
    poll: (client) => client.content.resume({ requestId: 'gen_1' }).wait(),
  },
  'openai 7.57': {
    make: (baseURL, { timeout, retries }) =>
      new OpenAI({
        baseURL,
        apiKey: 'secret-key',
        logLevel: 'off',
        ...defined({ timeout, maxRetries: retries }),
      }),
    post: (client, options) => client.responses.create({ model: 'm', input: 'p' }, options),
    credential: 'Authorization',
    get: (client, id) => client.responses.retrieve(id),
    stream: (client) => client.responses.create({ model: 'm', input: 'p', stream: true }),
    poll: (client) => client.vectorStores.files.poll('vs_1', 'file_1'),
  },
  'anthropic 1.12': {
    make: (baseURL, { timeout, retries }) =>
      new Anthropic({
        baseURL,
        apiKey: 'secret-key',
        logLevel: 'off',
        ...defined({ timeout, maxRetries: retries }),
      }),
    post: (client, options) =>
      client.messages.create(
        { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'p' }] },
        options,
      ),
    get: (client, id) => client.messages.batches.retrieve(id),
    credential: 'X-Api-Key',
    stream: (client) =>
      client.messages.create({
        model: 'm',
        max_tokens: 5,
        messages: [{ role: 'user', content: 'p' }],
        stream: true,
      }),
  },
  'stripe 23.1': {
    make: (url, { timeout, retries }) => {
      const { hostname, port } = new URL(url);
      return new Stripe('secret-key', {
        host: hostname,
        port: Number(port),
        protocol: 'http',
        telemetry: false,
        ...defined({ timeout, maxNetworkRetries: retries }),
      });
    },
    post: (client) => client.charges.create({ amount: 1, currency: 'usd' }),
    get: (client, id) => client.customers.retrieve(id),
  },
  'workos 11.0': {
    make: (url, { timeout, retries }) => {
      const { hostname, port } = new URL(url);
      return new WorkOS('secret-key', {
        apiHostname: hostname,
        port: Number(port),
        https: false,
        ...defined({ timeout, maxRetries: retries }),
      });
    },
    post: (client) => client.organizations.createOrganization({ name: 'n' }),
    get: (client, id) => client.organizations.getOrganization(id),
  },
  'svix 2.5': {
    make: (serverUrl, { timeout, retries }) =>
      new Svix('secret-key', {
        serverUrl,
        ...defined({ requestTimeout: timeout, numRetries: retries }),
      }),
    post: (client) => client.message.create('app_1', { eventType: 'e', payload: {} }),
    get: (client, id) => client.application.get(id),
  },
  'resend 6.38': {
    make: (baseUrl) => new Resend('secret-key', { baseUrl }),
    // Returns errors as values.
    post: async (client) =>
      unwrap(await client.emails.send({ from: 'a@b.c', to: 'a@b.c', subject: 's', text: 't' })),
    get: async (client, id) => unwrap(await client.emails.get(id)),
  },
  'octokit core 7.0': {
    make: (baseUrl) =>
      new Octokit({
        baseUrl,
        auth: 'secret-key',
        log: { warn() {}, error() {}, info() {}, debug() {} },
      }),
    post: (client, options) => client.request('POST /charges', { request: { ...options } }),
    get: (client, id) => client.request('GET /charges/{id}', { id }),
  },
  'ky 2.1': {
    make: (url, { timeout, retries }) =>
      ky.create({
        prefix: url,
        headers: { 'x-api-key': 'secret-key' },
        ...defined({ timeout, retry: retries === undefined ? undefined : { limit: retries } }),
      }),
    post: (client, options) => client.post('charges', { json: { amount: 1 }, ...options }).json(),
    credential: 'X-API-Key',
    get: (client, id) => client.get(`charges/${id}`).json(),
  },
  'openapi-fetch 0.17': {
    make: (baseUrl) => createClient({ baseUrl, headers: { 'x-api-key': 'secret-key' } }),
    post: (client, options) =>
      client.POST('/charges', { body: { amount: 1 }, ...options }).then(unwrap),
    credential: 'X-API-Key',
    get: (client, id) => client.GET('/charges/{id}', { params: { path: { id } } }).then(unwrap),
  },
};

function unwrap({ data, error }) {
  if (error !== undefined && error !== null) throw Object.assign(error, { asValue: true });
  return data;
}
