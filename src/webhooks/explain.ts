import type { CheckInput } from '../signing/create-scheme.ts';
import type { Settings } from './settings.ts';

/** Logs why a signature may not match, in development. What fails here must not hide the refusal. */
export async function explain(settings: Settings, delivery: CheckInput): Promise<void> {
  const { diagnose = isDevelopment(), logger = console } = settings.options;
  if (!diagnose) return;
  try {
    const diagnosis = await import('./diagnose.ts');
    logger.warn(await diagnosis.diagnose(settings, delivery));
  } catch {}
}

function isDevelopment(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return /^(development|test)$/.test(process?.env?.['NODE_ENV'] ?? '');
}
