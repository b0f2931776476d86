import { parseJson } from '../options/values.ts';
import type { CallStart, ResolvedOptions } from '../options.ts';
import { randomKey } from '../platform/driver.ts';
import type { OperationId } from '../types.ts';
import type { Call, CallSettings, RequestParts } from './call.ts';
import { assertNoCredential, assertOption, idempotencyKey } from './client-rules.ts';
import { toError } from './failure.ts';

/** A generation can take minutes; everything else is a lookup. */
const defaultTimeout = (operation: OperationId | undefined): number =>
  operation === 'generateContent' ? 600_000 : 60_000;

const keyHeader = 'idempotency-key';

/** @throws OperationAbsentError; TypeError for a credential or an invalid idempotency key among the headers */
export function prepareCall(
  options: ResolvedOptions,
  { method, url, headers: given, body = undefined }: RequestParts,
  settings: CallSettings,
): Call {
  const { operation } = settings;
  const { deployment } = options;
  const idempotency = deployment ? deployment.idempotencyHeader : keyHeader;
  if (operation && deployment?.has(operation) === false) {
    throw toError({ code: 'operation_absent' }, { operation });
  }
  const headers = { ...settings.defaultHeaders, ...options.headers, ...given };
  assertNoCredential(headers, options.credential.header, 'Use client.withOptions({ apiKey }).');
  const ownKey = method === 'POST' ? headers[keyHeader] : undefined;
  const header = idempotency?.toLowerCase();
  if (ownKey !== undefined && header !== keyHeader) delete headers[keyHeader];
  let key: string | undefined;
  if (method === 'POST' && header) {
    key = ownKey ?? randomKey();
    if (key === undefined) throw new TypeError(noRandomness);
    if (ownKey !== undefined) assertOption('Idempotency-Key', key, idempotencyKey);
    headers[header] = key;
  }
  const text = typeof body === 'string' ? body : undefined;
  const credentials: string[] = [];
  const start: CallStart = Object.freeze({
    operation,
    method,
    url,
    idempotencyKey: key,
    isKeyGenerated: key !== undefined && ownKey === undefined,
    body: text,
    fields: {
      webhookUrl: deployment?.requestField('webhookUrl') ?? 'webhookUrl',
      metadata: deployment?.requestField('metadata') ?? 'metadata',
    },
  });
  return {
    ...settings,
    options,
    method,
    url,
    headers,
    idempotencyKey: key,
    start,
    body,
    credentials,
    // Only a message needs them.
    secrets: () => [...credentials, ...promptsOf(text, deployment?.requestField('prompt'))],
    timeout: settings.timeout ?? options.timeout ?? defaultTimeout(operation),
    deadline: settings.deadline ?? options.deadline,
    maxRetries: settings.maxRetries ?? options.maxRetries,
  };
}

/** What the caller wrote in a body; texts of a few words, such as a model, are not secret unless they are the prompt. */
function promptsOf(body: string | undefined, prompt = 'prompt'): string[] {
  const fields = Object.entries(Object(body && parseJson(body)));
  return fields.flatMap(([name, value]) => {
    if (typeof value !== 'string' || /^https?:/.test(value)) return [];
    // The message that a test asks the reference server for is meant to be seen.
    if (name === prompt) return value.split(/\[\[\s*fail\b[^[\]]*\]\]/i);
    return value.length >= 40 ? [value] : [];
  });
}

const noRandomness =
  'Idempotency keys need crypto.getRandomValues. On Node, use 20.19 or later; in React Native, import react-native-get-random-values first.';
