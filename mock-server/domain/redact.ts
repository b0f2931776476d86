export { printable, withoutTrailing } from '../../src/clean-text.ts';
export { hideQuotations } from '../../src/quotations.ts';
export {
  decodeComponent,
  isSecretName,
  redact,
  redactLogged,
  redactQuery,
  SHORTEST_SECRET,
} from '../../src/redact.ts';
