import { signal } from '@preact/signals';

/** `#/deliveries/dlv_…?status=failed`. Hash addresses need no fallback route on the server. */
export interface Route {
  readonly page: string;
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

export const route = signal<Route>(parse(location.hash));

/** Follows the address; `changed` is called after a change of page. */
export function startRouter(changed: () => void): void {
  addEventListener('hashchange', () => {
    const before = route.peek().page;
    route.value = parse(location.hash);
    if (route.peek().page !== before) changed();
  });
}

export function href(page: string, id?: string, query?: Record<string, string>): string {
  const path = id === undefined ? page : `${page}/${encodeURIComponent(id)}`;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return `#/${path}${search}`;
}

export function go(page: string, id?: string, query?: Record<string, string>): void {
  location.hash = href(page, id, query);
}

function parse(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', id] = path.split('/');
  return {
    page: page || 'overview',
    id: id ? decode(id) : undefined,
    query: new URLSearchParams(search),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
