import { describe, expect, test } from 'vitest';
import { type Exposure, findAccessError } from '../../../mock-server/control-api/access.ts';

interface Visit {
  readonly peer?: string | undefined;
  readonly host?: string;
  readonly origin?: string;
  readonly site?: string;
}

function enters(visit: Visit, exposure: Exposure = false): boolean {
  const headers = new Map([['host', visit.host ?? 'localhost:4010']]);
  if (visit.origin !== undefined) headers.set('origin', visit.origin);
  if (visit.site !== undefined) headers.set('sec-fetch-site', visit.site);
  const peer = 'peer' in visit ? visit.peer : '127.0.0.1';
  const visitor = { peer, headers: { get: (name: string) => headers.get(name) ?? null } };
  return findAccessError(visitor, exposure) === undefined;
}

describe('a control API that is not exposed', () => {
  test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
    'accepts the peer %s',
    (peer) => {
      expect(enters({ peer })).toBe(true);
    },
  );

  test.each([
    '10.0.0.1',
    '172.17.0.1',
    '8.8.8.8',
    '::ffff:10.0.0.1',
    '::2',
    'fe80::1',
    '',
    '127.0.0.1.evil',
    undefined,
  ])('rejects the peer %s', (peer) => {
    expect(enters({ peer })).toBe(false);
  });

  test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1:4010', '127.1.2.3', '[::1]', '[::1]:80'])(
    'accepts the Host %s',
    (host) => {
      expect(enters({ host })).toBe(true);
    },
  );

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.evil.example',
    'evil@localhost',
    'localhost@evil.example',
    'localhost/evil',
    'localhost:port',
    '10.0.0.1:4010',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '[::2]',
    '',
  ])('rejects the Host %s, as DNS rebinding would send it', (host) => {
    expect(enters({ host })).toBe(false);
  });

  test('accepts a page from the same origin', () => {
    expect(enters({ origin: 'http://localhost:4010', site: 'same-origin' })).toBe(true);
    expect(enters({ site: 'none' })).toBe(true);
  });

  test.each(['http://localhost:3000', 'http://evil.example', 'null', 'http://127.0.0.1:4010', ''])(
    'rejects a page from the origin %s',
    (origin) => {
      expect(enters({ origin })).toBe(false);
    },
  );

  test.each(['cross-site', 'same-site'])(
    'rejects a request that the browser marks as %s',
    (site) => {
      expect(enters({ site })).toBe(false);
    },
  );
});

describe('an exposed control API', () => {
  test('accepts any peer that calls an IP address or localhost', () => {
    expect(enters({ peer: '10.0.0.1', host: '192.168.0.7:4010' }, true)).toBe(true);
    expect(enters({ peer: '10.0.0.1', host: '[fd00::7]:4010' }, true)).toBe(true);
    expect(enters({ peer: undefined, host: 'localhost' }, true)).toBe(true);
  });

  test('accepts a host name only if it was configured', () => {
    expect(enters({ host: 'mock:4010' }, true)).toBe(false);
    expect(enters({ host: 'mock:4010' }, ['Mock'])).toBe(true);
    expect(enters({ host: 'other:4010' }, ['mock'])).toBe(false);
  });

  test('still rejects pages from other origins', () => {
    const visit = { host: 'mock:4010', origin: 'http://evil.example' };
    expect(enters(visit, ['mock'])).toBe(false);
    expect(enters({ ...visit, origin: 'http://mock:4010' }, ['mock'])).toBe(true);
  });
});
