import { validators } from '../../generated/validators.ts';
import type { OperationId } from '../../types.ts';

interface Validator {
  /** Fills in the defaults of `body`. */
  (body: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly keyword: string }[] | null;
}

/** The operations that this suite sends a body to. */
const bodies: { readonly [Id in OperationId]?: Validator } = {
  generateContent: validators.GenerateRequest,
  createApiKey: validators.CreateApiKeyRequest,
  createWebhook: validators.CreateWebhookRequest,
};

/**
 * Checks the body of a request of this suite, in the contract's names.
 *
 * @throws Error when the contract does not allow it: then the fault is ours, and no clause is judged by it
 */
export function checkOwnBody(operation: OperationId, body: object = {}): void {
  const validate: Validator = bodies[operation] ?? validators.NoBody;
  if (validate(JSON.parse(JSON.stringify(body)))) return;
  const mistakes = validate.errors?.map(
    ({ instancePath, keyword }) => `${instancePath} ${keyword}`,
  );
  throw new Error(`${operation}: the contract does not allow its body (${mistakes?.join(', ')})`);
}
