import assert from 'node:assert/strict';
import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

// with `node --test`, put this into test('…', async () => { … })
const mock = createMockServer({ clock: 'manual', seed: 1 });
const client = new ContentGen(mock.clientOptions);
mock.faults.add({ operation: 'getUsage', times: 1, effect: { status: 503 } });
const { attempts } = await client.usage.get().withResponse();
assert.equal(attempts, 2);
