import type { DiskStore } from 'contentgen/simulate';
import { openStore } from '../../mock-server/simulate/disk.ts';
import { type DiskGate, SharedStore } from '../../mock-server/simulate/disk-store.ts';

/** Lets every call happen at once. */
const openGate: DiskGate = {
  owner: {},
  async call(what, work) {
    const outcome = work();
    if (outcome && 'result' in outcome) return outcome.result;
    throw new Error(`${what} is not done.`);
  },
  surviving: (count) => count,
  onCrash: () => () => {},
};

/** A disk store outside of a simulation. */
export const openDisk = (): DiskStore =>
  openStore('db', new SharedStore({ unpark() {}, changed() {} }), openGate, {});
