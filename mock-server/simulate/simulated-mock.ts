import { hideInternals, internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import { milliseconds } from '../control/arguments.ts';
import type { SimulatedFetch } from './network.ts';
import type { Simulation } from './simulation.ts';

/** The reference server as an application and a test see it: its clock is the run's. */
export function simulatedMock(simulation: Simulation, fetch: SimulatedFetch): MockServer {
  const { server } = simulation.service;
  const wait = (ms: number) =>
    new Promise<number>((resolve) => {
      const run = () => resolve(simulation.now());
      simulation.steps.at(simulation.now() + ms, { what: 'the clock moves', run });
    });
  // One after the other: threads finish in any order.
  let lastToken: Promise<unknown> = Promise.resolve();
  const simulated: MockServer = {
    ...server,
    clock: { ...server.clock, advance: (duration) => wait(milliseconds(duration)) },
    get signingSecret() {
      return server.signingSecret;
    },
    issueToken(request) {
      const token = lastToken.then(() => server.issueToken(request));
      lastToken = token.catch(() => {});
      return simulation.serve(token);
    },
    fetch,
    settle: () => wait(0),
  };
  hideInternals(simulated, internalsOf(server));
  return simulated;
}
