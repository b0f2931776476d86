import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { entrances, startService } from './doors.ts';
import { commands, newHistory } from './histories.ts';

/** The mutant that replaces a rule of the server at the moment, whether it was used, and the names of all. */
const planted = vi.hoisted(() => ({ name: '', used: false, names: new Set<string>() }));

/** A function of the server, or what a planted mutant has in its place. */
const rule = vi.hoisted(
  () =>
    <F extends (...given: never[]) => unknown>(real: F, mutants: Record<string, F>) => {
      for (const name of Object.keys(mutants)) planted.names.add(name);
      return ((...given) => {
        const mutant = mutants[planted.name];
        planted.used ||= mutant !== undefined;
        return (mutant ?? real)(...given);
      }) as F;
    },
);

vi.mock(import('../../mock-server/domain/usage.ts'), async (load) => {
  const real = await load();
  return {
    ...real,
    rejectOverQuota: rule(real.rejectOverQuota, {
      'the quota has no effect': () => undefined,
      'the quota can be exceeded by one': (context, id) =>
        real.usageOf(context, id).used <= 40 ? undefined : real.rejectOverQuota(context, id),
    }),
    countUsage: rule(real.countUsage, {
      'a completion is counted twice': (context, id, tokens) => {
        real.countUsage(context, id, tokens);
        real.countUsage(context, id, tokens);
      },
    }),
  };
});

vi.mock(import('../../mock-server/domain/delivery/retry-schedule.ts'), async (load) => {
  const real = await load();
  const nextDelay = rule(real.nextDelay, {
    'a retry comes too early': (...given) => (real.nextDelay(...given) ?? 0) / 2 || undefined,
    'there are only three attempts': (failure, ...others) =>
      failure.attempts < 3 ? real.nextDelay(failure, ...others) : undefined,
  });
  return { ...real, nextDelay };
});

vi.mock(import('../../mock-server/domain/signing-secrets.ts'), async (load) => {
  const real = await load();
  return {
    ...real,
    activeSecrets: rule(real.activeSecrets, {
      'only the newest secret signs': (...given) => real.activeSecrets(...given).slice(0, 1),
      'a replaced secret signs for ever': (secrets) => secrets.map(({ secret }) => secret),
    }),
    rotate: rule(real.rotate, {
      'each rotation is forced': (secrets, secret, { overlapSeconds }, now) =>
        real.rotate(secrets, secret, { overlapSeconds, force: true }, now),
    }),
  };
});

vi.mock(import('../../mock-server/domain/deliveries.ts'), async (load) => {
  const real = await load();
  const enqueueDelivery = rule(real.enqueueDelivery, {
    'a callback is queued twice': (...given) => {
      real.enqueueDelivery(...given);
      return real.enqueueDelivery(...given);
    },
  });
  return { ...real, enqueueDelivery };
});

vi.mock(import('../../mock-server/domain/delivery/send-message.ts'), async (load) => {
  const real = await load();
  const sendMessage = rule(real.sendMessage, {
    'each attempt has its own id': (context, delivery, ...others) => {
      const messageId = `${delivery.messageId}${delivery.attempts.length}`;
      return real.sendMessage(context, { ...delivery, messageId }, ...others);
    },
  });
  return { ...real, sendMessage };
});

vi.mock(import('../../mock-server/api/idempotency.ts'), async (load) => {
  const real = await load();
  return {
    ...real,
    toRemembered: rule(real.toRemembered, { 'a key is forgotten': () => undefined }),
  };
});

vi.mock(import('../../mock-server/api/replay.ts'), async (load) => {
  const real = await load();
  const replay = rule(real.replay, {
    'a replay does not say so': async (call, repetition) => ({
      ...(await real.replay(call, repetition)),
      headers: {},
    }),
  });
  return { ...real, replay };
});

vi.mock(import('../../mock-server/api/event-stream.ts'), async (load) => {
  const real = await load();
  const followGeneration = rule(real.followGeneration, {
    'a stream resumes at its beginning': (context, deployment, id) =>
      real.followGeneration(context, deployment, id, 0),
    'a stream resumes one event too late': (context, deployment, id, after) =>
      real.followGeneration(context, deployment, id, after && after + 1),
  });
  return { ...real, followGeneration };
});

/**
 * `CONTENTGEN_MODEL=10000` checks that many histories on each door, with a new seed that is printed on failure. Through
 * MSW, a process has memory for about 5 000: MSW 3 itself keeps 50 kB of each POST.
 */
const asked = Number(process.env['CONTENTGEN_MODEL'] ?? 0);
const timeout = asked > 0 ? 7_200_000 : 60_000;

type Door = readonly [enter: Parameters<typeof startService>[0], runs: number, inFile?: boolean];
const inProcess: Door = [entrances['in process'], 10];
const doors: [name: string, door: Door][] = [
  ['in process', inProcess],
  ['over HTTP, in a data file', [entrances['over HTTP'], 4, true]],
  ['through MSW', [entrances['through MSW'], 2]],
];

async function checkHistories([enter, runs, inFile = false]: Door, parameters: object) {
  const history = fc.commands(commands, { maxCommands: 30, size: 'max' });
  const property = fc.asyncProperty(history, async (steps) => {
    const service = await startService(enter, { inFile });
    try {
      const model = await newHistory(service);
      await fc.asyncModelRun(() => ({ model, real: service }), steps);
    } finally {
      await service.close();
    }
  });
  await fc.assert(property, { numRuns: runs, seed: 1, ...parameters });
}

describe('any history of calls, crashes and clock moves is one that the specification allows', () => {
  test.for(doors)('%s', { timeout }, ([, door]) =>
    checkHistories(door, asked > 0 ? { numRuns: asked, seed: undefined } : {}),
  );
});

describe('a mutant of the server is found', () => {
  test('there are 14', () => expect(planted.names.size).toBe(14));

  test.for([...planted.names])('%s', async (name) => {
    Object.assign(planted, { name, used: false });
    try {
      const found = checkHistories(inProcess, { numRuns: 300, endOnFailure: true });
      await expect(found).rejects.toThrow('Property failed');
      expect(planted.used).toBe(true);
    } finally {
      planted.name = '';
    }
  });
});
