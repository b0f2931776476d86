import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Variant, type VariantName, variants } from './variants.ts';

/** A running service, and what a test can see and do behind its back. */
export interface GivenOnly {
  /** The base URL, with `/v2` where the variant has it. */
  readonly url: string;
  readonly apiKey: string;
  /** Signs callbacks and events: an ordinary string. */
  readonly secret: string;
  readonly organization: string;
  /** How many generations were carried out, each of them billed. */
  readonly billed: number;
  /** Every request that arrived, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Every delivery with the status of its response; 0 if none came. */
  readonly deliveries: readonly SentDelivery[];
  /** Carries out the next generation, but closes the connection instead of responding. */
  loseNextAnswer(): void;
  /** Holds callbacks back until the function that it returns is called. */
  holdCallbacks(): () => void;
  /** The organization pays its invoice: registered URLs get an event, whose name the specification leaves open. */
  payInvoice(): void;
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

export interface SentDelivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
}

type Json = Record<string, unknown>;

const secret = 'an ordinary secret, chosen by a person';
const organization = 'org-7';
/** Tokens at which registered URLs get an event: 90 % of a quota of 1 000. */
const threshold = 900;

/**
 * Starts a service that does what the specification of the interface gives, and nothing else: it has three operations,
 * ignores every header but `X-API-Key`, sends each callback once, and knows no list, poll, cancel or stream.
 */
export async function startGivenOnly(
  variant: VariantName | Variant,
  { tokens = 12 }: { readonly tokens?: number } = {},
): Promise<GivenOnly> {
  const own: Variant = typeof variant === 'string' ? variants[variant] : variant;
  const { names } = own;
  const apiKey = `live-${randomUUID()}`;
  const keys = new Set([apiKey]);
  const registered: { event: unknown; url: string }[] = [];
  const requests: SeenRequest[] = [];
  const deliveries: SentDelivery[] = [];
  const posting = new Set<Promise<void>>();
  let used = 0;
  let billed = 0;
  let losesAnswer = false;
  let held = Promise.resolve();

  const wrapped = (body: Json): Json => (own.wrap ? { [own.wrap]: body } : body);

  const deliver = async (url: string, payload: Json) => {
    await held;
    const body = JSON.stringify(wrapped(payload));
    const digest = createHmac('sha256', secret).update(body).digest(own.encoding);
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': own.digestPrefix + digest,
    };
    const status = await fetch(url, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 0,
    );
    deliveries.push({ url, headers, body, status });
  };
  const post = (url: string, payload: Json) => {
    const sent = deliver(url, payload).finally(() => posting.delete(sent));
    posting.add(sent);
  };

  const notify = (event: string, facts: Json) => {
    for (const { url } of registered.filter((one) => one.event === event))
      post(url, { event, organization, ...facts });
  };

  const generate = (body: Json): [number, Json?] => {
    if (typeof body['prompt'] !== 'string') return [400];
    billed += 1;
    used += tokens;
    const requestId = randomUUID();
    const outcome = placed([
      [names.requestId, requestId],
      [names.result, `About ${body['prompt']}`],
      [names.model, 'given-1'],
      [names.totalTokens, tokens],
    ]);
    if (used >= threshold && used - tokens < threshold)
      notify('usage_threshold', { usage: used, threshold });
    const webhookUrl = body[names.webhookUrl];
    if (typeof webhookUrl !== 'string') return [200, outcome];
    // After the acknowledgement.
    setImmediate(() => post(webhookUrl, outcome));
    return [
      own.acknowledgement,
      placed([
        ['status', 'processing'],
        [names.requestId, requestId],
      ]),
    ];
  };

  const respond = (method: string, path: string, body: Json): [number, Json?] => {
    const operation = `${method} ${path}`;
    if (operation === `POST ${own.prefix}/api/ai/content/generate`) return generate(body);
    if (operation === `POST ${own.prefix}${own.keysPath}`) {
      const key = `live-${randomUUID()}`;
      keys.add(key);
      return [201, placed([[names.key, key]])];
    }
    if (operation === `POST ${own.prefix}/api/webhooks`) {
      const { event, url } = body;
      if (typeof url !== 'string') return [400];
      registered.push({ event, url });
      return [201, own.registration === 'echo' ? { event, url } : {}];
    }
    return [404];
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const body = await readJson(request);
    const isKnown = keys.has(`${headers['x-api-key']}`);
    const [status, answer] = isKnown ? respond(method, path, body) : [401];
    requests.push({ method, path, status, body });
    if (losesAnswer && path.endsWith('/generate') && status < 300) {
      losesAnswer = false;
      request.socket.destroy();
    } else if (answer) sendJson(response, status, wrapped(answer));
    else sendError(response, status, own.errors);
  };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${own.prefix}`,
    apiKey,
    secret,
    organization,
    get billed() {
      return billed;
    },
    requests,
    deliveries,
    loseNextAnswer() {
      losesAnswer = true;
    },
    holdCallbacks() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    payInvoice: () => notify('invoice_paid', { invoice: { status: 'paid', total: used } }),
    async close() {
      await Promise.all(posting);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An object with each value at its path. */
function placed(values: readonly (readonly [path: string, value: unknown])[]): Json {
  const whole: Json = {};
  for (const [path, value] of values) {
    const members = path.split('.');
    const last = members.pop() as string;
    let parent = whole;
    for (const member of members) {
      parent[member] ??= {};
      parent = parent[member] as Json;
    }
    parent[last] = value;
  }
  return whole;
}

async function readJson(request: IncomingMessage): Promise<Json> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, kind: Variant['errors']): void {
  if (kind === 'none') response.writeHead(status).end();
  else if (kind === 'json') sendJson(response, status, { message: 'No.' });
  else {
    const page = `<!doctype html><title>${status}</title><h1>${status}</h1>`;
    response.writeHead(status, { 'content-type': 'text/html' }).end(page);
  }
}
