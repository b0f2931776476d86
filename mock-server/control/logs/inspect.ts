import type { Context } from '../../domain/context.ts';
import { redeliver } from '../../domain/delivery/redeliver.ts';
import { resendEdited } from '../../domain/delivery/resend.ts';
import type { DeploymentJson } from '../../domain/deployment.ts';
import { flag, mustBe, type OptionRules } from '../../domain/options.ts';
import { isRejection } from '../../domain/rejection.ts';
import { assertArgument, assertArguments, notFound, resultOf } from '../arguments.ts';
import { type Tenant, usableKey } from '../tenants/tenants.ts';
import { type ActivityQuery, type ActivityView, readActivity } from './activity.ts';
import { type CoverageQuery, readCoverage, type SituationView } from './coverage.ts';
import type { LogFilter } from './filter.ts';
import {
  type DeliveryView,
  deliveryView,
  type Found,
  type LogQuery,
  type SearchRows,
  searchRows,
} from './logs.ts';

/** What to change in a message that is resent. */
export interface EditedDelivery {
  /** The body to send, byte for byte as UTF-8. It need not be JSON. @default the original body */
  readonly body?: string;
  /** Keeps the `webhook-id`, so that a receiver treats it as a duplicate. @default false */
  readonly keepMessageId?: boolean;
}

/** Searching and resending, for debugging. The dashboard uses these calls. */
export interface Inspect {
  /**
   * Finds the rows of a list that match, oldest first unless `order` is `desc`, and counts all that match.
   *
   * @throws ControlError `validation_failed` for an invalid time
   * @example
   * ```ts
   * import { createMockServer } from 'contentgen/mock';
   *
   * const mock = createMockServer({ clock: 'manual', seed: 1 });
   * const { total } = mock.search('deliveries', { status: 'retrying', code: '503' });
   * ```
   */
  search<Name extends keyof SearchRows>(name: Name, query?: LogQuery): Found<SearchRows[Name]>;
  /** Counts requests, attempts and deliveries, in total and per minute. */
  activity(query?: ActivityQuery): ActivityView;
  /**
   * Counts how often the callers met each situation that tests should meet, such as a lost response. It reads the logs,
   * so it counts only what these still hold.
   *
   * @example
   * ```ts
   * import { createMockServer } from 'contentgen/mock';
   *
   * const mock = createMockServer({ clock: 'manual', seed: 1 });
   * const neverMet = mock.coverage().filter(({ met }) => met === 0);
   * ```
   */
  coverage(query?: CoverageQuery): SituationView[];
  /**
   * Resends a delivery as a new one with another body, signed by the server like any other.
   *
   * @throws ControlError `not_found`; `invalid_state` when its registration is disabled or deleted
   */
  resend(delivery: string, edited?: EditedDelivery): DeliveryView;
  /**
   * Resends matching failed deliveries, with the same bytes and `webhook-id`. If the filter's status is `pending` or
   * `retrying`, it makes their next attempts now instead. Returns how many deliveries were queued.
   *
   * @throws ControlError `validation_failed` for an invalid time or any other status
   */
  redeliver(filter?: LogFilter): number;
  /**
   * Returns the first organization's signing secret and its keys, if the server knows them and they still work, and the
   * deployment that the server plays.
   */
  access(): Partial<Tenant> & {
    /** What the service does differently; undefined if nothing. */
    readonly deployment?: DeploymentJson;
  };
}

const editRules: OptionRules<EditedDelivery> = {
  body: mustBe('a string', (value) => typeof value === 'string'),
  keepMessageId: flag,
};

const REDELIVERABLE = ['failed', 'pending', 'retrying'];

export function createInspect(context: Context, tenant: Tenant): Inspect {
  const deliveries = context.store.table('deliveries');
  return {
    search: (name, query) => searchRows(context, name, query),
    activity: (query) => readActivity(context, query),
    coverage: (query) => readCoverage(context, query),
    resend(id, changes = {}) {
      assertArguments('Failed to resend the delivery', changes, editRules);
      const { body, keepMessageId = false } = changes;
      const original = deliveries.get(id);
      if (!original) throw notFound('delivery', id);
      const edited = { body: body ?? original.body, keepMessageId };
      const sent = context.store.transaction(() => resendEdited(context, original, edited));
      return deliveryView(resultOf(sent));
    },
    redeliver({ status = 'failed', ...filter } = {}) {
      assertArgument(
        REDELIVERABLE.includes(status),
        `Failed to redeliver: status must be one of ${REDELIVERABLE.join(', ')}.`,
      );
      const { data } = searchRows(context, 'deliveries', { ...filter, status });
      return context.store.transaction(
        () =>
          data.filter(({ id }) => {
            const row = deliveries.get(id);
            return row && !isRejection(redeliver(context, row));
          }).length,
      );
    },
    access() {
      const { organization, project } = tenant;
      const { deployment } = context.settings;
      const adminKey = usableKey(context, tenant.adminKey);
      const memberKey = usableKey(context, tenant.memberKey);
      const secret = context.store.table('projects').get(project)?.secrets[0]?.secret;
      return {
        organization,
        project,
        ...(adminKey && { adminKey }),
        ...(memberKey && { memberKey }),
        ...(secret && { signingSecret: secret }),
        ...(deployment && { deployment: deployment.json }),
      };
    },
  };
}
