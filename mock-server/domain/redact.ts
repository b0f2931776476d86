export { printable, withoutTrailing } from '../../src/clean-text.ts';
export {
  decodeComponent,
  isSecretName,
  redact,
  redactLogged,
  redactQuery,
} from '../../src/redact.ts';
