export { type OtelOptions, type OtelReceiverOptions, otel } from './otel.ts';
