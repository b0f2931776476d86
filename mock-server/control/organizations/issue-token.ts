import type { Context } from '../../domain/context.ts';
import { mustBe, type OptionRules, oneOf, text } from '../../domain/options.ts';
import type { Role } from '../../domain/records.ts';
import {
  assertArgument,
  assertArguments,
  type Duration,
  isDuration,
  milliseconds,
  notFound,
} from '../arguments.ts';
import type { Organization } from './organizations.ts';

/** The claims of an access token. */
export interface TokenRequest {
  /** The role of the user. */
  readonly role: Role;
  /** The user. @default 'usr_' followed by 26 zeros */
  readonly sub?: string;
  /** Identifier of the organization. @default the server's first organization */
  readonly organization?: string;
  /** Identifier of the project. @default the first project of the organization */
  readonly project?: string;
  /**
   * How long the token is valid on the server's clock. A negative number of ms makes an expired token; one that
   * expired less than 30 s ago is still accepted.
   * @default '1 hour'
   */
  readonly expiresIn?: Duration;
}

const rules: OptionRules<TokenRequest> = {
  organization: text,
  project: text,
  role: oneOf(['admin', 'member']),
  sub: text,
  expiresIn: mustBe(
    "milliseconds or a string such as '1 hour'",
    (value) => Number.isFinite(value) || isDuration(value),
  ),
};

const DEFAULT_SUBJECT = `usr_${'0'.repeat(26)}`;

/** Issues a JWT for a user. It does not check that the project belongs to the organization; the service does. */
export async function issueToken(
  context: Context,
  home: Organization,
  request: TokenRequest,
): Promise<string> {
  const failed = 'Failed to issue the token';
  assertArguments(failed, request ?? {}, rules);
  assertArgument(request?.role !== undefined, `${failed}: role is required.`);
  const { role, sub = DEFAULT_SUBJECT, organization: org = home.organization } = request;
  const { project = firstProjectOf(context, home, org), expiresIn = '1 hour' } = request;
  const isPast = typeof expiresIn === 'number' && expiresIn < 0;
  const now = context.ports.clock.now();
  const end = now + (isPast ? expiresIn : milliseconds(expiresIn));
  const iat = Math.floor(Math.min(now, end) / 1000);
  const claims = { sub, org, project, role, iat, exp: Math.floor(end / 1000) };
  return context.ports.tokens.issue(claims);
}

function firstProjectOf(context: Context, home: Organization, organization: string): string {
  if (organization === home.organization) return home.project;
  const project = context.store.table('projects').find('organization', organization);
  if (!project) throw notFound('organization', organization);
  return project.id;
}
