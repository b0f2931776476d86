import { defineDeployment } from 'contentgen/deployment';
import { createMockServer } from 'contentgen/mock';
import { collect } from './08-differs.mjs';
import json from './deployment.json' with { type: 'json' };

const deployment = defineDeployment(json);

const mock = createMockServer({ deployment, clock: 'manual', seed: 1 });
const { baseUrl, adminKey: apiKey, fetch, signingSecret: secret } = mock;
const options = { baseUrl, apiKey, fetch };
const { ask, POST, work, results } = collect({ options, secret, now: mock.clock.now });
const url = 'https://app.example/hooks';
mock.receivers.set(url, POST);
const ids = [];
for (const text of ['one', 'two']) ids.push((await ask(`[[say: ${text}]]`, url)).requestId);
await mock.clock.advance('1 hour');
await work();
console.log(JSON.stringify(ids.map((id) => results.get(id))));
process.exit();
