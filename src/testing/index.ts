export { type AuditOptions, auditReceiver } from './audit/audit-receiver.ts';
export type { AuditOutcome, AuditReport, AuditResult } from './audit/audit-report.ts';
export type {
  ConformanceLine,
  ConformanceOptions,
  ConformanceProof,
  ConformanceReport,
} from './conform/options.ts';
export {
  type ConformanceReceiver,
  createConformanceReceiver,
  type ReceivedDelivery,
} from './conform/receiver.ts';
export { runConformance } from './conform/run.ts';
export {
  type DeliverAttempt,
  type DeliverOptions,
  type DeliverReport,
  deliver,
} from './deliver.ts';
export { sampleEvent, sampleTypes } from './sample-event.ts';
export type { Target, TargetResponse } from './send.ts';
export type { Tampering } from './tamper.ts';
export { createTestRequest, type TestPayload, type TestRequestOptions } from './test-request.ts';
export { auditVerifier, type SignatureVerifier } from './vectors/audit-verifier.ts';
export {
  createSignatureVectors,
  type SignatureVector,
  type VectorResult,
} from './vectors/create-vectors.ts';
