import type { InstanceContext, RunContext } from 'contentgen/simulate';

export const mail = ({ external }: InstanceContext) => ({
  notify: (requestId: string) => external('mail').send({ requestId }, { key: requestId }),
});
export const effects = ({ external }: RunContext<unknown>) =>
  external('mail').received<{ requestId: string }>().map((message) => message.requestId);
