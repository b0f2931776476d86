export type { components } from '../src/generated/openapi.ts';
export type { OperationDetails, OperationId, ProblemCode } from '../src/generated/operations.ts';
