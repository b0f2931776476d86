export { printable, withoutTrailing } from '../../src/clean-text.ts';
export {
  decodeComponent,
  isSecretName,
  redactEncodedSecrets,
  redactLogged,
  redactQuery,
  redactSecrets,
} from '../../src/redact.ts';
