export type { MockServer, ResponseListener, ServedRoute } from './composition/mock-server.ts';
export type { MockServerOptions, SigningScheme } from './composition/options.ts';
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
  HoldFailure,
  HoldOptions,
} from './control/hold.ts';
export type {
  ActivityQuery,
  ActivityView,
  CountsView,
  MinuteView,
} from './control/logs/activity.ts';
export type { CoverageQuery, SituationView } from './control/logs/coverage.ts';
export type { LogFilter } from './control/logs/filter.ts';
export type { EditedDelivery, Inspect } from './control/logs/inspect.ts';
export type {
  ApiKeyView,
  DeliveryView,
  EventView,
  Found,
  GenerationView,
  LogQuery,
  RequestView,
  SearchRows,
  WebhookView,
} from './control/logs/logs.ts';
export type { Snapshot } from './control/snapshot/snapshot.ts';
export type { TokenRequest } from './control/tenants/issue-token.ts';
export type { Tenant, TenantOptions, TenantView } from './control/tenants/tenants.ts';
export type { InvoiceInput, TriggerEvent, TriggerPayloads } from './control/trigger/trigger.ts';
export type { CallbackInput } from './control/trigger/trigger-callback.ts';
export { createMockServer } from './create-mock-server.ts';
export { GenerationFailure } from './domain/default-generator.ts';
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
