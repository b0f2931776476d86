import type { CheckInput } from '../signing/create-scheme.ts';
import type { Refusal } from './refusal.ts';
import type { Settings } from './settings.ts';

/** Logs why a signature may not match, in development; nothing where what was thrown is another refusal. */
export function explain(settings: Settings, thrown: unknown): Promise<void> | undefined {
  const { delivery } = Object(thrown) as Partial<Refusal>;
  return delivery && isDiagnosing(settings) ? write(settings, delivery) : undefined;
}

/** What fails here must not hide the refusal. */
async function write(settings: Settings, delivery: CheckInput): Promise<void> {
  const { logger = console } = settings.options;
  try {
    const diagnosis = await import('./diagnose.ts');
    logger.warn(await diagnosis.diagnose(settings, delivery));
  } catch {}
}

/** Whether mismatches are to be explained. */
export function isDiagnosing({ options }: Settings): boolean {
  const { diagnose = isDevelopment() } = options;
  return diagnose;
}

function isDevelopment(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return /^(development|test)$/.test(process?.env?.['NODE_ENV'] ?? '');
}
