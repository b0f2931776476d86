export { type AuditOptions, type AuditReport, type AuditResult, auditReceiver } from './audit.ts';
export {
  type DeliverAttempt,
  type DeliverOptions,
  type DeliverReport,
  deliver,
  type Tampering,
} from './deliver.ts';
export { sampleEvent, sampleTypes } from './sample-event.ts';
export type { Answer, Target } from './send.ts';
export { createTestRequest, type TestPayload, type TestRequestOptions } from './test-request.ts';
