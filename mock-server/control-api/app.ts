import { isJson, parseBody, readBytes } from '../api/read-body.ts';
import { internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import { didYouMean, isObject } from '../domain/options.ts';
import { isRejection } from '../domain/rejection.ts';
import { callsOf, MAX_BODY_BYTES } from './calls.ts';
import { logStreams } from './log-stream.ts';
import { ControlProblem, jsonResponse, problemOf, problemResponse } from './problem.ts';

const PREFIX = '/_control';
const METHODS: ReadonlyMap<string, string> = new Map([
  [`${PREFIX}/call`, 'POST'],
  [`${PREFIX}/stream`, 'GET'],
]);

/** The control API over HTTP. Access has already been checked. */
export function controlSite(mock: MockServer, maxBodyBytes = MAX_BODY_BYTES) {
  const streams = logStreams(mock);
  const calls = callsOf(mock);

  async function respond(request: Request, path: string): Promise<Response> {
    const method = METHODS.get(path);
    if (method === undefined) {
      throw new ControlProblem('not_found', 'Nothing exists at this address.');
    }
    if (request.method !== method) return methodNotAllowed(request.method, method);
    if (method === 'GET') return streams.open();
    const { call, args } = await readCall(request, maxBodyBytes);
    const found = calls.get(call);
    if (!found) throw unknownCall(call, [...calls.keys()]);
    // JSON has no undefined: null stands for an argument that is left out.
    const result = await found.run(args.map((argument) => argument ?? undefined));
    if (found.changes) await saved(mock);
    if (call === 'restore' || call === 'reset') streams.endAll();
    return jsonResponse(200, { result: result ?? null });
  }

  return {
    /** Responds to requests under `/_control`; returns undefined for all others. */
    handle(request: Request): Promise<Response> | undefined {
      const { pathname } = new URL(request.url);
      if (pathname !== PREFIX && !pathname.startsWith(`${PREFIX}/`)) return undefined;
      return respond(request, pathname).catch((thrown: unknown) =>
        problemResponse(problemOf(thrown)),
      );
    },
    close: streams.endAll,
  };
}

interface Call {
  readonly call: string;
  readonly args: readonly unknown[];
}

/** @throws ControlProblem */
async function readCall(request: Request, limit: number): Promise<Call> {
  const body = await readJson(request, limit);
  const { call, args = [], ...others } = isObject(body) ? body : {};
  if (typeof call !== 'string' || !Array.isArray(args) || Object.keys(others).length > 0) {
    const detail = 'The body must be { "call": "clock.advance", "args": ["31 days"] }.';
    throw new ControlProblem('validation_failed', detail);
  }
  return { call, args };
}

/** Requires JSON by its type, which a form or another simple request of a foreign page cannot send. */
async function readJson(request: Request, limit: number): Promise<unknown> {
  if (!isJson(request.headers.get('content-type') ?? '')) {
    const detail = 'The body must be JSON. Send it with Content-Type: application/json.';
    throw new ControlProblem('unsupported_media_type', detail);
  }
  const declared = Number(request.headers.get('content-length'));
  const bytes = declared > limit ? undefined : await readBytes(request, limit);
  if (!bytes) {
    const detail = `The body exceeds the limit of ${limit} bytes.`;
    throw new ControlProblem('payload_too_large', detail);
  }
  const parsed = parseBody(bytes);
  if (isRejection(parsed)) throw new ControlProblem(parsed.code, parsed.detail);
  return parsed.json;
}

function unknownCall(call: string, names: string[]): ControlProblem {
  const shown = JSON.stringify(call.slice(0, 64));
  const advice = didYouMean(call.slice(0, 64), names);
  const detail = `There is no call ${shown}.${advice} Pass one of ${names.join(', ')}.`;
  return new ControlProblem('not_found', detail);
}

async function saved(mock: MockServer): Promise<void> {
  try {
    await internalsOf(mock).flushed();
  } catch {
    throw new ControlProblem('unavailable', NOT_SAVED);
  }
}

const NOT_SAVED =
  'The change is in effect but could not be saved. Free up space on the disk of the data file, then retry.';

function methodNotAllowed(method: string, allow: string): Response {
  const detail = `This address does not support ${method}. Use ${allow}.`;
  return problemResponse(new ControlProblem('method_not_allowed', detail), { allow });
}
