import { callbackBefore202 } from './callback-before-202.ts';
import { dedupeByContent } from './dedupe-by-content.ts';
import { markAfterEffect } from './mark-after-effect.ts';
import { markBeforeEffect } from './mark-before-effect.ts';
import { memoryAcrossReplicas } from './memory-across-replicas.ts';
import { newKeyOnRetry } from './new-key-on-retry.ts';
import { noDedupe } from './no-dedupe.ts';
import { orderAssumed } from './order-assumed.ts';
import { respondBeforeWrite } from './respond-before-write.ts';
import { shortLease } from './short-lease.ts';
import { swallowsErrors } from './swallows-errors.ts';
import { timestampAsVersion } from './timestamp-as-version.ts';

/** Each has one bug that would surface in production sooner or later. */
export const planted = {
  noDedupe,
  markBeforeEffect,
  markAfterEffect,
  dedupeByContent,
  memoryAcrossReplicas,
  shortLease,
  respondBeforeWrite,
  orderAssumed,
  callbackBefore202,
  newKeyOnRetry,
  timestampAsVersion,
  swallowsErrors,
};
