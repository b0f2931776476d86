import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const neverMet = mock.coverage().filter(({ met }) => met === 0);
