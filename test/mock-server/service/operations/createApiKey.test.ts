import { createKeyCases } from './create-key-cases.ts';
import { describeOperation } from './describe-operation.ts';

const path = '/api/auth/api-keys';

describeOperation('createApiKey', { path: () => path, body: { name: 'ci' } }, createKeyCases(path));
