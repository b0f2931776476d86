import type { Role } from '../domain/records.ts';
import { type Rejection, reject } from '../domain/rejection.ts';
import type { Principal } from './principal.ts';

/** `admin` may do everything; decided before any look-up. */
export function authorize(principal: Principal, needed: Role): Rejection | undefined {
  if (principal.role === 'admin' || needed === 'member') return undefined;
  return reject('insufficient_permissions', 'The operation needs the role admin.');
}
