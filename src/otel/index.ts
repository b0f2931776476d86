export { type Otel, type OtelOptions, type OtelReceiverOptions, otel } from './otel.ts';
