import type { ComponentChildren } from 'preact';
import { causeOf, codeOf } from '../logic/delivery.ts';
import { clockTime, day, duration } from '../logic/format.ts';
import { href } from '../router.ts';
import { serverNow } from '../state/clock.ts';
import { control, type SentDelivery } from '../state/control.ts';
import { isAbout } from './use-list.ts';
import { useValue } from './use-value.ts';

interface Entry {
  readonly at: string;
  readonly what: ComponentChildren;
  readonly tone?: 'good' | 'bad' | 'warn' | undefined;
}

/** The history of a delivery: request, generation, attempts, and what comes next. */
export function Timeline({ delivery }: { delivery: SentDelivery }) {
  const { requestId, attempts, createdAt, nextAttemptAt } = delivery;
  const { value } = useValue(() => readOrigin(requestId), isAbout('generation.'), requestId);
  const entries: Entry[] = [
    ...originOf(value),
    { at: createdAt, what: 'Delivery queued; its body no longer changes' },
    ...attempts.map((attempt, index) => ({
      at: attempt.at,
      what: (
        <>
          Attempt {index + 1}: <strong>{codeOf(attempt)}</strong>
        </>
      ),
      tone: attempt.error === undefined ? ('good' as const) : ('bad' as const),
    })),
    ...(nextAttemptAt === undefined
      ? []
      : [{ at: nextAttemptAt, what: nextOf(delivery), tone: 'warn' as const }]),
  ];
  return (
    <ol class="timeline">
      {entries.map(({ at, what, tone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end
        <li key={index} data-tone={tone}>
          <time dateTime={at} title={`${day(at)} ${clockTime(Date.parse(at))} UTC`}>
            {clockTime(Date.parse(at)).slice(0, 8)}
          </time>
          <span>{what}</span>
          <span class="muted">{gap(entries[index - 1]?.at, at)}</span>
        </li>
      ))}
    </ol>
  );
}

function nextOf(delivery: SentDelivery): string {
  const { text } = causeOf(delivery, serverNow.value);
  const next = text.split(' · ').at(-1) ?? '';
  return `Attempt ${delivery.attempts.length + 1}: ${next}`;
}

/** The time since the previous entry. */
function gap(before: string | undefined, at: string): string {
  const ms = before === undefined ? 0 : Date.parse(at) - Date.parse(before);
  return ms > 0 ? `+ ${duration(ms)}` : '';
}

type Origin = Awaited<ReturnType<typeof readOrigin>>;

/** The generation that the delivery reports, and the request that started it. */
async function readOrigin(requestId: string | undefined) {
  if (requestId === undefined) return undefined;
  const [generation] = (await control.search('generations', { ids: [requestId] })).data;
  const text = generation?.apiRequestId;
  const calls = text ? (await control.search('requests', { text, limit: 1 })).data : [];
  return { generation, call: calls[0] };
}

function originOf(origin: Origin): Entry[] {
  const { generation, call } = origin ?? {};
  if (!generation) return [];
  const { requestId, createdAt, completedAt, status } = generation;
  const link = <a href={href('generations', requestId)}>Generation</a>;
  return [
    ...(call
      ? [
          {
            at: call.at,
            what: (
              <a href={href('requests', call.id, { own: 'yes' })}>
                {call.method} {call.path} <strong>{call.status}</strong>
              </a>
            ),
          },
        ]
      : []),
    { at: createdAt, what: <>{link} accepted</> },
    ...(completedAt
      ? [
          {
            at: completedAt,
            what: (
              <>
                {link} {status}
              </>
            ),
            tone: status === 'completed' ? ('good' as const) : ('bad' as const),
          },
        ]
      : []),
  ];
}
