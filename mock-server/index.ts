export type { ClientOptions, MockServer } from './composition/mock-server.ts';
export type { DeliveryOptions, MockServerOptions, SigningScheme } from './composition/options.ts';
export type { Duration } from './control/arguments.ts';
export { ControlError } from './control/arguments.ts';
export type { Billing, InvoiceView } from './control/billing.ts';
export type { Control, ControlClock } from './control/control.ts';
export type {
  DeliveryEffect,
  FaultOptions,
  Faults,
  OperationEffect,
} from './control/faults/faults.ts';
export type {
  DeliveryTarget,
  Held,
  HeldGeneration,
  HoldCalls,
  HoldOptions,
} from './control/hold.ts';
export type { SituationView } from './control/logs/coverage.ts';
export type { LogFilter } from './control/logs/filter.ts';
export type { DeliveryView, EventView, LogQuery, RequestView } from './control/logs/logs.ts';
export type { TokenRequest } from './control/organizations/issue-token.ts';
export type { Organization, OrganizationOptions } from './control/organizations/organizations.ts';
export type { DeliveryChanges } from './control/redeliver.ts';
export type { Snapshot } from './control/snapshot/snapshot.ts';
export type { InvoiceInput, TriggerEvent, TriggerPayloads } from './control/trigger/trigger.ts';
export type { CallbackInput } from './control/trigger/trigger-callback.ts';
export { createMockServer } from './create-mock-server.ts';
export { GenerationFailure } from './domain/default-generator.ts';
export type { DeliveryEffects, OperationEffects } from './domain/fault-effects.ts';
export type { HoldFailure } from './domain/holds.ts';
export type {
  Generator,
  GeneratorInput,
  PageQuery,
  Store,
  StoreSnapshot,
  Table,
} from './domain/ports.ts';
export type { TableName, Tables } from './domain/records.ts';
export type { InProcessReceiver } from './outbound/in-process.ts';
export { memoryStore } from './stores/memory.ts';
