import { usageOf } from '../../domain/usage.ts';
import { usageViewOf } from '../serialize.ts';
import { apiKeyHandlers } from './api-keys.ts';
import { contentHandlers } from './content.ts';
import type { Handler, Handlers } from './operation.ts';
import { webhookHandlers } from './webhooks.ts';

const getUsage: Handler = ({ context, principal }) => ({
  status: 200,
  body: usageViewOf(usageOf(context, principal.organization)),
});

/** Does not compile if an operation of the contract has no handler. */
export const handlers = {
  ...contentHandlers,
  ...apiKeyHandlers,
  ...webhookHandlers,
  getUsage,
} satisfies Handlers;
