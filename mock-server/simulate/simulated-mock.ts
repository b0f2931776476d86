import { hideInternals, internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import { milliseconds } from '../control/arguments.ts';
import type { SimulatedFetch } from './network.ts';
import type { Simulation } from './simulation.ts';

/** The reference server as an application and a test see it: its clock is the run's. */
export function simulatedMock(simulation: Simulation, fetch: SimulatedFetch): MockServer {
  const { server } = simulation.service;
  const waitUntil = (time: () => number) =>
    new Promise<number>((resolve) => {
      const run = () => resolve(simulation.now());
      simulation.steps.at(time(), { what: 'the clock moves', run });
    });
  const clock: MockServer['clock'] = {
    ...server.clock,
    advance: (duration) => waitUntil(() => simulation.now() + milliseconds(duration)),
    advanceTo: (time) => waitUntil(() => Date.parse(time)),
  };
  // One after the other: threads finish in any order.
  let lastToken: Promise<unknown> = Promise.resolve();
  const simulated: MockServer = {
    ...server,
    clock,
    get signingSecret() {
      return server.signingSecret;
    },
    issueToken(request) {
      const token = lastToken.then(() => server.issueToken(request));
      lastToken = token.catch(() => {});
      return simulation.serve(token);
    },
    fetch,
    settle: () => waitUntil(simulation.now),
  };
  hideInternals(simulated, internalsOf(server));
  return simulated;
}
