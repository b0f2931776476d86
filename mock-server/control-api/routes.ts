import type { MockServer } from '../composition/mock-server.ts';
import type { Duration } from '../control/arguments.ts';
import { count, integerFrom, isObject, numberFrom, oneOf, text } from '../domain/options.ts';
import type { ControlHandler, ControlResult } from './input.ts';
import { duration, fields, lifetime, object } from './input.ts';
import { logRoutes } from './log-routes.ts';
import { invalid, notFound } from './problem.ts';

const ok = (body: unknown): ControlResult => ({ status: 200, body });
const noContent: ControlResult = { status: 204 };

export function clockView({ clock }: MockServer): ClockView {
  const { mode } = clock;
  return { now: new Date(clock.now()).toISOString(), mode, waitingFor: clock.waitingFor() };
}

interface ClockView {
  readonly now: string;
  readonly mode: string;
  /** What is still in progress. */
  readonly waitingFor: readonly string[];
}

function assertEmpty(body: unknown): void {
  fields(body, {});
}

/** By `METHOD /path` under `/_control`; `:id` matches one segment. */
export const controlRoutes: Readonly<Record<string, ControlHandler>> = {
  'GET /clock': ({ mock }) => ok(clockView(mock)),
  'POST /clock': async ({ mock, body }) => {
    const given = fields<{ advance?: Duration; to?: string }>(
      body,
      {},
      { advance: duration, to: text },
    );
    const { advance, to } = given;
    if ((advance === undefined) === (to === undefined)) {
      throw invalid("Pass either advance (a duration such as '31 days') or to (a time or 'now').");
    }
    if (advance !== undefined) await mock.clock.advance(advance);
    else await mock.clock.advanceTo(String(to));
    return ok(clockView(mock));
  },
  'POST /settle': async ({ mock, body }) => {
    assertEmpty(body);
    await mock.settle();
    return ok(clockView(mock));
  },
  'POST /tokens': async ({ mock, body }) => {
    const options = fields<Parameters<MockServer['issueToken']>[0]>(
      body,
      { role: oneOf(['admin', 'member']) },
      {
        sub: text,
        organization: text,
        project: text,
        expiresIn: lifetime,
        alg: oneOf(['ES256', 'RS256', 'EdDSA']),
      },
    );
    return { status: 201, body: { token: await mock.issueToken(options) } };
  },
  'GET /organizations': ({ mock }) => ok({ data: mock.organizations() }),
  'POST /organizations': ({ mock, body }) => {
    const options = fields<{ quota?: number; organization?: string }>(
      body,
      {},
      { quota: count, organization: text },
    );
    const { organization, project, adminKey, memberKey, signingSecret } =
      mock.createOrganization(options);
    return { status: 201, body: { organization, project, adminKey, memberKey, signingSecret } };
  },
  'DELETE /organizations/:id': ({ mock, id }) => {
    mock.deleteOrganization(id);
    return noContent;
  },
  'POST /invoices/:id/pay': ({ mock, id, body }) => {
    assertEmpty(body);
    return ok(mock.billing.pay(id));
  },
  'POST /invoices/:id/fail': ({ mock, id, body }) => {
    const { reason } = fields<{ reason?: string }>(body, {}, { reason: text });
    return ok(mock.billing.fail(id, reason));
  },
  'POST /trigger': ({ mock, body }) => {
    const { event, organization, payload } = fields<{
      event: Parameters<MockServer['trigger']>[0];
      organization?: string;
      payload?: Parameters<MockServer['trigger']>[1];
    }>(body, { event: text }, { organization: text, payload: object });
    const data = mock.trigger(
      event,
      payload,
      organization === undefined ? undefined : { organization },
    );
    return { status: 202, body: { data } };
  },
  'GET /faults': ({ mock }) => ok({ data: mock.faults.list() }),
  'POST /faults': ({ mock, body }) => {
    const input = fields<Parameters<MockServer['faults']['add']>[0]>(
      body,
      { effect: object },
      {
        operation: text,
        delivery: text,
        organization: text,
        times: integerFrom(1),
        probability: numberFrom('a number from 0 to 1', 0, 1),
      },
    );
    return { status: 201, body: mock.faults.add(input) };
  },
  'DELETE /faults/:id': ({ mock, id }) => {
    if (!mock.faults.remove(id)) throw notFound();
    return noContent;
  },
  ...logRoutes,
  'GET /state': ({ mock }) => ok(mock.snapshot()),
  'PUT /state': ({ mock, body }) => {
    if (!isObject(body)) throw invalid('The body must be a snapshot, as GET /state returns it.');
    mock.restore(body as unknown as Parameters<MockServer['restore']>[0]);
    return noContent;
  },
  'POST /reset': ({ mock, body }) => {
    assertEmpty(body);
    mock.reset();
    return noContent;
  },
};
