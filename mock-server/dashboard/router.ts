import { signal } from '@preact/signals';

/** `#/deliveries/dlv_…?status=failed`. Hash addresses need no fallback route on the server. */
export interface Route {
  readonly page: string;
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

type Query = Readonly<Record<string, string | undefined>>;

export const route = signal<Route>(parse(location.hash));

let changed = () => {};

/** Follows the address; `onPage` is called after a change of page. */
export function startRouter(onPage: () => void): void {
  changed = onPage;
  addEventListener('hashchange', follow);
}

function follow(): void {
  const before = route.peek().page;
  route.value = parse(location.hash);
  if (route.peek().page !== before) changed();
}

/** Members of `query` that are empty or undefined are left out. */
export function href(page: string, id?: string, query: Query = {}): string {
  const path = id === undefined ? page : `${page}/${encodeURIComponent(id)}`;
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length > 0 ? `#/${path}?${new URLSearchParams(given)}` : `#/${path}`;
}

export function go(page: string, id?: string, query?: Query): void {
  location.hash = href(page, id, query);
}

/** Goes there without a new entry in the browser's history, for changes by keys and typing. */
export function replace(address: string): void {
  history.replaceState(history.state, '', address);
  follow();
}

export function parse(hash: string): Route {
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
