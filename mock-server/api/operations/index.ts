import type { Handlers } from './answer.ts';
import { apiKeyHandlers } from './api-keys.ts';
import { contentHandlers } from './content.ts';
import { usageHandlers } from './usage.ts';
import { webhookHandlers } from './webhooks.ts';

/** Does not compile while an operation of the contract has no handler. */
export const handlers = {
  ...contentHandlers,
  ...apiKeyHandlers,
  ...webhookHandlers,
  ...usageHandlers,
} satisfies Handlers;
