export type {
  ApiKey,
  ApiKeyWithSecret,
  FieldError,
  Generation,
  Problem,
  Usage,
  Webhook,
  WebhookWithSecret,
} from '../../../src/index.ts';
