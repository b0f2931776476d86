import { signal } from '@preact/signals';

/** `#/traffic/deliveries/dlv_…?status=failed`. Hash addresses need no fallback route on the server. */
export interface Route {
  readonly page: string;
  /** The list or form of the page that is shown. */
  readonly part: string | undefined;
  readonly id: string | undefined;
  readonly query: URLSearchParams;
}

type Query = Readonly<Record<string, string | undefined>>;

export const route = signal<Route>(parse(location.hash));

addEventListener('hashchange', follow);

function follow(): void {
  route.value = parse(location.hash);
}

/** Members of `query` that are empty or undefined are left out. */
export function href(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length > 0 ? `#/${path}?${new URLSearchParams(given)}` : `#/${path}`;
}

/** Goes there without a new entry in the browser's history, for changes by typing. */
export function replace(address: string): void {
  history.replaceState(history.state, '', address);
  follow();
}

function parse(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page, part, id] = path.split('/').map(decode);
  return {
    page: page || 'overview',
    part: part || undefined,
    id: id || undefined,
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
