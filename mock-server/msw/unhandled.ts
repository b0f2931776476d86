import * as msw from 'msw';
import { callback, type OptionRule, oneOf } from '../domain/options.ts';

/**
 * What happens to requests to other hosts: `error` fails them, `warn` prints a warning, and `bypass` sends them on. Requests
 * to this machine, and of a page to its own host, are sent on in any case, unless a function decides.
 */
export type OnUnhandledRequest =
  | 'error'
  | 'warn'
  | 'bypass'
  | ((
      request: Request,
      print: {
        /** Prints a warning. */
        warning(): void;
        /** Fails the request. */
        error(): void;
      },
    ) => void);

const choice = oneOf(['error', 'warn', 'bypass']);

export const unhandledRule: OptionRule = (value) =>
  typeof value === 'function' ? callback(value) : choice(value);

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

type Decide = Exclude<OnUnhandledRequest, string>;

/** An HTTP request, or a connection of a WebSocket, as msw 3 passes it. */
interface Frame {
  readonly frame: {
    readonly data: {
      readonly request?: Request;
      readonly connection?: { readonly client: { readonly url: string | URL } };
    };
  };
  readonly defaults: { warn(): void; error(): void };
}

/**
 * The option for msw 2, which reads `onUnhandledRequest`, and msw 3, which reads `onUnhandledFrame`. Requests to `ownHost`,
 * that of a page, are sent on too.
 */
export function unhandledOptions(choose: OnUnhandledRequest, ownHost?: string) {
  const decide: Decide = typeof choose === 'function' ? choose : decideBy(choose, ownHost);
  const onUnhandledRequest = (request: Request, print: Parameters<Decide>[1]) => {
    let isRefused = false;
    let printing: unknown;
    const refuse = () => {
      isRefused = true;
      try {
        printing = print.error();
      } catch {
        // MSW 2.12 throws here, which would let a request of node:http hang.
      }
    };
    // Newer versions of MSW only print an error and then send the request on, unless this throws.
    const finish = () => {
      if (!isRefused) return undefined;
      if (isPromise(printing)) return Promise.resolve(printing).finally(() => fail(request));
      return fail(request);
    };
    const decided: unknown = decide(request, { warning: () => print.warning(), error: refuse });
    return isPromise(decided) ? decided.then(finish) : finish();
  };
  return {
    onUnhandledRequest,
    onUnhandledFrame({ frame, defaults }: Frame) {
      const { request, connection } = frame.data;
      const unhandled = request ?? (connection && upgradeTo(connection.client.url));
      const print = { warning: () => defaults.warn(), error: () => defaults.error() };
      return unhandled && onUnhandledRequest(unhandled, print);
    },
  };
}

const decideBy =
  (choice: Extract<OnUnhandledRequest, string>, ownHost: string | undefined): Decide =>
  (request, print) => {
    const { host, hostname } = new URL(request.url);
    if (LOOPBACK.test(hostname) || host === ownHost) return;
    if (choice === 'error') print.error();
    else if (choice === 'warn') print.warning();
  };

/** Not by its class: an `async` function returns the platform's, which zone.js replaces. */
const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value;

/** MSW responds to another error with status 500, and leaves a WebSocket open that fails with a response. */
function fail({ url }: Request): never {
  if (url.startsWith('ws')) throw new Error('Failed to connect: onUnhandledRequest refused it.');
  throw msw.HttpResponse.error();
}

/** What msw 2 passes for the connection of a WebSocket. A `Request` with credentials in its URL would throw. */
function upgradeTo(address: string | URL): Request {
  const url = Object.assign(new URL(address), { username: '', password: '' });
  return new Request(url, { headers: { connection: 'upgrade', upgrade: 'websocket' } });
}
