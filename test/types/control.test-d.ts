import { createMockServer, type MockServer } from 'contentgen/mock';
import { connectMock, type MockControl } from 'contentgen/mock/remote';
import { expectTypeOf, test } from 'vitest';
import { type Marked, mockCalls } from '../../mock-server/control-api/calls.ts';

declare const mock: MockServer;
declare const control: MockControl;

test('every member of a mock is marked as a call or as none, and nothing else is', () => {
  const { settle: _, ...forgotten } = mockCalls;
  // @ts-expect-error settle exists in process, but not in the list
  forgotten satisfies Marked<MockServer>;
  // @ts-expect-error rain exists in the list, but not in process
  ({ ...mockCalls, rain: 'read' }) satisfies Marked<MockServer>;
  const { pay: __, ...billing } = mockCalls.billing;
  // @ts-expect-error a call of a group is missing
  ({ ...mockCalls, billing }) satisfies Marked<MockServer>;
  // @ts-expect-error a group has a call too many
  ({ ...mockCalls, clock: { ...mockCalls.clock, stop: 'read' } }) satisfies Marked<MockServer>;
  // @ts-expect-error baseUrl is no function
  ({ ...mockCalls, baseUrl: 'read' }) satisfies Marked<MockServer>;
});

test('connectMock has the calls with their types, and only those', () => {
  expectTypeOf(control.billing.pay).toEqualTypeOf<
    (id: string) => Promise<ReturnType<typeof mock.billing.pay>>
  >();
  expectTypeOf(control.clock.now).toEqualTypeOf<() => Promise<number>>();
  expectTypeOf(control.settle).toEqualTypeOf<() => Promise<number>>();
  expectTypeOf<keyof MockControl>().toEqualTypeOf<
    Exclude<
      keyof MockServer,
      | 'adminKey'
      | 'memberKey'
      | 'signingSecret'
      | 'organization'
      | 'baseUrl'
      | 'clientOptions'
      | 'adminOptions'
      | 'receivers'
      | 'fetch'
      | 'close'
    >
  >();
  // @ts-expect-error receivers are functions
  void control.receivers;
  // @ts-expect-error the deployment knows no such call
  void control.rain();
});

test('what awaits every call compiles for both', () => {
  const both = async (either: MockServer | MockControl) => {
    const held = await either.hold('generateContent');
    await held.started;
    await held.emit('text');
    await held.release();
    expectTypeOf(await either.requests({ limit: 1 })).toEqualTypeOf(mock.requests());
    expectTypeOf(await either.snapshot()).toEqualTypeOf(mock.snapshot());
    await either.trigger('invoice_paid', { invoice: { amountDue: 1 } });
  };
  void both(createMockServer());
  void both(connectMock('http://127.0.0.1:4010'));
});
