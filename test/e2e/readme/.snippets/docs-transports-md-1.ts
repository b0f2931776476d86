import { readFileSync } from 'node:fs';
import { ContentGen, type Fetch } from 'contentgen';
import { fetch, ProxyAgent } from 'undici';

const ca = readFileSync('company-ca.pem');
const dispatcher = new ProxyAgent({ uri: 'http://proxy.example:3128', requestTls: { ca }, headersTimeout: 0 });
const viaProxy = (url: string, init?: object) => fetch(url, { ...init, dispatcher });
const client = new ContentGen({ fetch: viaProxy as unknown as Fetch });
