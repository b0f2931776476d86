import { createKeyCases } from './create-key-cases.ts';
import { describeOperation } from './describe-operation.ts';

const path = '/api-keys/generate';

describeOperation(
  'createApiKeyAlias',
  { path: () => path, body: { name: 'ci' } },
  createKeyCases(path),
);
