import { type InstanceContext, simulatedPostgres } from 'contentgen/simulate';
import { postgresDedupe } from 'contentgen/webhooks/postgres';

export const store = ({ disk, mock }: InstanceContext) =>
  postgresDedupe(simulatedPostgres(disk.open('db'), { now: mock.clock.now }));
