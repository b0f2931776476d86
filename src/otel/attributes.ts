import type { Attributes } from '@opentelemetry/api';
import { defined, parseJson } from '../options/values.ts';
import type { CallEnd, CallStart } from '../options.ts';

// Names: OpenTelemetry semantic conventions for HTTP and for generative AI clients (in development). No prompt, result,
// header or idempotency key is an attribute.

export function describeCall(call: CallStart): { name: string; attributes: Attributes } {
  const { operation, method, url } = call;
  const { hostname, port, protocol } = new URL(url);
  const attributes: Attributes = {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
    ...(operation && { 'contentgen.operation': operation }),
  };
  if (operation !== 'generateContent') {
    return { name: operation ? `contentgen ${operation}` : method, attributes };
  }
  const request = Object(parseJson(call.body ?? ''));
  const model = known(request['model'], 'string');
  return {
    name: model ? `generate_content ${model}` : 'generate_content',
    attributes: defined({
      ...attributes,
      'gen_ai.operation.name': 'generate_content',
      'gen_ai.provider.name': 'contentgen',
      'gen_ai.output.type': 'text',
      'gen_ai.request.model': model,
      'gen_ai.request.max_tokens': known(request['maxTokens'], 'number'),
      'gen_ai.request.temperature': known(request['temperature'], 'number'),
      'gen_ai.request.seed': known(request['seed'], 'number'),
      'gen_ai.request.stream': known(request['stream'], 'boolean'),
    }),
  };
}

export function describeEnd(call: CallStart, { response, body, error }: CallEnd): Attributes {
  const { status, requestId, code } = Object(error) as Record<string, unknown>;
  const attributes: Attributes = defined({
    'http.response.status_code': response?.status ?? known(status, 'number'),
    // An error's id is without what it quotes from the call.
    'contentgen.request_id':
      known(requestId, 'string') ??
      (error === undefined ? response?.headers.get('x-request-id') : undefined) ??
      undefined,
    'error.type': error === undefined ? undefined : (known(code, 'string') ?? nameOf(error)),
  });
  if (call.operation !== 'generateContent') return attributes;
  const generation = Object(body) as Record<string, unknown>;
  const usage = Object(generation['usage']) as Record<string, unknown>;
  return defined({
    ...attributes,
    'gen_ai.response.id': known(generation['requestId'], 'string'),
    'gen_ai.response.model': known(generation['model'], 'string'),
    'gen_ai.usage.input_tokens': known(usage['promptTokens'], 'number'),
    'gen_ai.usage.output_tokens': known(usage['completionTokens'], 'number'),
  });
}

export const nameOf = (error: unknown): string =>
  error instanceof Error ? error.name : typeof error;

interface Types {
  string: string;
  number: number;
  boolean: boolean;
}

/** The value if it has the type: bodies come from outside. */
const known = <Type extends keyof Types>(value: unknown, type: Type): Types[Type] | undefined =>
  typeof value === type ? (value as Types[Type]) : undefined;
