import { callback, type OptionRule, oneOf } from '../domain/options.ts';

/**
 * What happens to requests to other hosts: `error` fails them, `warn` prints a warning, and `bypass` sends them on. Requests
 * to this machine are sent on in any case, unless a function decides.
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

interface Frame {
  readonly frame: { readonly data?: { readonly request?: Request } };
  readonly defaults: { warn(): void; error(): void };
}

/** The option for msw 2, which reads `onUnhandledRequest`, and msw 3, which reads `onUnhandledFrame`. */
export function unhandledOptions(choose: OnUnhandledRequest) {
  const onUnhandledRequest: Exclude<OnUnhandledRequest, string> = (request, print) => {
    if (typeof choose === 'function') choose(request, print);
    else if (LOOPBACK.test(new URL(request.url).hostname)) return;
    else if (choose === 'error') print.error();
    else if (choose === 'warn') print.warning();
  };
  return {
    onUnhandledRequest,
    onUnhandledFrame({ frame, defaults }: Frame): void {
      const request = frame.data?.request;
      const print = { warning: () => defaults.warn(), error: () => defaults.error() };
      if (request) onUnhandledRequest(request, print);
      else if (choose === 'error') print.error();
      else if (choose === 'warn') print.warning();
    },
  };
}
