import type { OperationId } from '../contract.ts';
import type { Fault } from '../domain/records.ts';
import type { Reply } from './reply.ts';

/** What is known of an answer beside itself. */
export interface AnswerFacts {
  /** Absent where the request never reached one. */
  readonly operation?: OperationId;
  /** The injected fault that struck it. */
  readonly effect?: Fault['effect'];
}

/** Sees each answer on its way out and hands on the one to send. */
export type Witness = (
  request: Pick<Request, 'method' | 'url'>,
  reply: Reply,
  facts: AnswerFacts,
) => Reply;

const KEY = Symbol.for('contentgen.mock.witness');

/** The process's own witness, which this project's tests set to hold every answer to the contract; read once a server. */
export function witness(): Witness | undefined {
  return (globalThis as { [KEY]?: Witness })[KEY];
}
