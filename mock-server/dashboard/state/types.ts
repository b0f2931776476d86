import type { ContentGen } from '../../../src/index.ts';

export type {
  ApiKey,
  ApiKeyWithSecret,
  Delivery,
  FieldError,
  Generation,
  Problem,
  Usage,
  Webhook,
  WebhookWithSecret,
} from '../../../src/index.ts';

export type Client = ContentGen;
export type DeliveryAttempt = import('../../../src/index.ts').Delivery['attempts'][number];
