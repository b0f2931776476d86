import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { connectPage, type PageControl } from '../../../mock-server/control-api/client/connect.ts';
import { createMockServer, type MockServer } from '../../../mock-server/index.ts';
import { openServed } from './served.ts';

/** A test that awaits every call runs on each. */
export type Control = PageControl;

export interface Setup {
  readonly mock: MockServer;
  readonly control: Control;
  end(): Promise<void>;
}

/** A server, and its calls in process. */
export async function inProcess(): Promise<Setup> {
  const mock = createMockServer({ clock: 'manual', start: '2026-01-01', seed: 1 });
  const own = Object.getOwnPropertyDescriptors(mock);
  const control = Object.defineProperties({ page: internalsOf(mock).page }, own);
  return { mock, control: control as unknown as Control, end: () => mock.close() };
}

async function throughConnectMock(): Promise<Setup> {
  const { mock, url, end } = await openServed();
  return { mock, control: connectPage(url), end };
}

/** As any program would do it that knows nothing of this package. */
export async function throughPost(): Promise<Setup> {
  const { mock, url, end } = await openServed();
  const post = async (call: string, args: unknown[]) => {
    const response = await fetch(`${url}/_control/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ call, args }),
    });
    const body = await response.json();
    if (response.ok) return body.result ?? undefined;
    throw Object.assign(new Error(body.detail), { code: body.code, status: response.status });
  };
  const callsUnder = (prefix: string): object =>
    new Proxy(() => {}, {
      get: (_, name) => callsUnder(prefix === '' ? String(name) : `${prefix}.${String(name)}`),
      apply: (_, __, args) => post(prefix, args),
    });
  return { mock, control: callsUnder('') as Control, end };
}

export const ways = [
  ['in process', inProcess],
  ['through connectMock', throughConnectMock],
  ['through a POST', throughPost],
] as const;
