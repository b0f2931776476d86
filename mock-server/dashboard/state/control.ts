import { signal } from '@preact/signals';
import { connectPage } from '../../control-api/client/connect.ts';

/** The server that this page shows. */
export const { origin } = location;

const STORED = 'contentgen-control-token';
let token = readStored();

/** True once the server has rejected a call for want of the control token. */
export const tokenNeeded = signal(false);

/** True while this tab has a control token. */
export const hasToken = signal(token !== undefined);

export function setToken(next: string | undefined): void {
  token = next;
  hasToken.value = next !== undefined;
  tokenNeeded.value = next === undefined;
  try {
    if (next === undefined) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, next);
  } catch {
    // Without storage, the token lasts until the page is reloaded.
  }
}

function readStored(): string | undefined {
  try {
    return sessionStorage.getItem(STORED) ?? undefined;
  } catch {
    return undefined;
  }
}

/** A request to the control API, with the token if there is one. */
export async function controlFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(input, { ...init, headers, credentials: 'omit' });
  if (response.status === 401) tokenNeeded.value = true;
  return response;
}

export const control = connectPage(origin, { fetch: controlFetch });
