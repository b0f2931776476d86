import type { Credential } from '../options.ts';
import type { Call } from './call.ts';
import { credentialMistake } from './credential.ts';
import { Deadline } from './deadline.ts';
import type { Failure } from './failure.ts';
import { race } from './read-response.ts';

/**
 * Calls the caller's function for the credential of one attempt, within the time limit of an attempt. Never shared between
 * calls: the function may read the tenant of a request from its async context.
 */
export async function lookUpCredential(
  lookUp: Exclude<Credential, string>,
  { timeout }: Call,
  deadline: Deadline,
  rejected: string | undefined,
): Promise<string | Failure> {
  const fail = (problem: string, cause?: unknown): Failure => ({
    code: 'credential_unavailable',
    cause,
    hint: `The apiKey or accessToken function ${problem}`,
  });
  const limit = new Deadline(timeout, 'attempt_timeout', deadline);
  try {
    const credential: unknown = await race(
      (async () => lookUp({ expired: rejected !== undefined, rejected }))(),
      limit,
    );
    if (typeof credential !== 'string') return fail('must return a string.');
    const mistake = credentialMistake(credential);
    return mistake ? fail(`returned a value that ${mistake}`) : credential;
  } catch (cause) {
    return limit.failure ?? fail("threw an error; see this error's cause.", cause);
  } finally {
    limit.close();
  }
}
