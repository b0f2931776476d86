export { type AuditOptions, auditReceiver } from './audit/audit-receiver.ts';
export type { AuditOutcome, AuditReport, AuditResult } from './audit/audit-report.ts';
export {
  type DeliverAttempt,
  type DeliverOptions,
  type DeliverReport,
  deliver,
  type Tampering,
} from './deliver.ts';
export { sampleEvent, sampleTypes } from './sample-event.ts';
export type { Target, TargetResponse } from './send.ts';
export { createTestRequest, type TestPayload, type TestRequestOptions } from './test-request.ts';
