import { apiKeyCases } from './api-keys.ts';
import { contentCases } from './content.ts';
import { deliveryCases } from './deliveries.ts';
import { type Cases, describeOperation } from './describe-operation.ts';
import { usageCases } from './usage.ts';
import { webhookCases } from './webhooks.ts';

const cases: Cases = {
  ...contentCases,
  ...apiKeyCases,
  ...webhookCases,
  ...deliveryCases,
  ...usageCases,
};

for (const [id, own] of Object.entries(cases)) describeOperation(id as keyof Cases, own);
