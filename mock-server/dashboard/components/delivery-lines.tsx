import type { LogFilter } from '../../index.ts';
import { causeOf } from '../logic/delivery.ts';
import { shortId } from '../logic/format.ts';
import { href } from '../router.ts';
import { serverNow } from '../state/clock.ts';
import { control } from '../state/control.ts';
import { Badge } from './badge.tsx';
import { Problem } from './problem.tsx';
import { Time } from './time.tsx';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';

interface DeliveryLinesProps {
  readonly query: LogFilter;
  /** @default 8 */
  readonly limit?: number;
  /** Shown if there are none. */
  readonly empty: string;
}

/** The newest matching deliveries, one per line: status, event and receiver, time. */
export function DeliveryLines({ query, limit = 8, empty }: DeliveryLinesProps) {
  const { value, error } = useValue(
    async () => (await control.search('deliveries', { ...query, order: 'desc', limit })).data,
    isAbout('delivery.'),
    JSON.stringify(query),
  );
  return (
    <>
      <Problem error={error} />
      {value?.length === 0 && <p class="muted small">{empty}</p>}
      <ul class="lines">
        {value?.map((row) => {
          const { tone, text } = causeOf(row, serverNow.value);
          const host = hostOf(row.url);
          return (
            <li key={row.id}>
              <Badge tone={tone}>{text}</Badge>
              <a href={href('deliveries', row.id)}>
                {query.webhook ? shortId(row.id) : `${row.event} to ${host}`}
              </a>
              <Time at={row.attempts.at(-1)?.at ?? row.createdAt} />
            </li>
          );
        })}
      </ul>
    </>
  );
}

function hostOf(url: string): string {
  return /^\w+:\/\/([^/?#]*)/.exec(url)?.[1] ?? url;
}
