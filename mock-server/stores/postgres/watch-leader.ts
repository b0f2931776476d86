import type { Organization, Project } from '../../domain/records.ts';
import type { LeaderFacts } from '../shared-store.ts';
import type { Schema } from './schema.ts';
import type { Session } from './session.ts';

/** What a standby sees of the leader at one moment. */
interface Sighting {
  /** Process id of the backend that holds the lock. */
  readonly pid: number | null;
  readonly url: string | null;
  /** Changes with every beat and every statement of the leader. */
  readonly pulse: string;
  /** The row of the project that this standby knows as the first one; null once it is gone. */
  readonly project: string | null;
}

export interface LeaderWatch {
  /** Looks at the leader; ends its session once it has shown no sign of life for long enough. */
  look(): Promise<LeaderFacts>;
}

/**
 * Watches the leader through a standby's session. A suspended process keeps its session and so the lock; only ending
 * that session frees it.
 *
 * Time is counted in looks: if the standby itself was suspended, the gap counts as one look, not as the leader's
 * silence.
 */
export function watchLeader(
  session: Session,
  schema: Schema,
  silenceMs: number,
  everyMs: number,
): LeaderWatch {
  const [lockClass, lockId] = schema.lockKeys;
  const holder = `SELECT pid FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND classid = ${lockClass}::bigint::oid
      AND objid = ${lockId >>> 0}::bigint::oid AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const sight = {
    name: 'contentgen-watch',
    text: `SELECT holder.pid, leader.url,
        concat_ws(' ', holder.pid, leader.term, leader.beat, activity.state_change) AS pulse,
        project.row AS project
      FROM ${schema.leader} AS leader
      LEFT JOIN (${holder}) AS holder ON true
      LEFT JOIN pg_stat_activity AS activity ON activity.pid = holder.pid
      LEFT JOIN ${schema.rows} AS project ON project.kind = 'projects' AND project.id = $1`,
  };
  let known: Sighting | undefined;
  let silentMs = 0;
  let home: LeaderFacts['home'];

  return {
    async look() {
      const [seen] = await session.query<Sighting>(sight, [home?.project.id ?? null]);
      silentMs = seen?.pulse === known?.pulse ? silentMs + everyMs : 0;
      known = seen;
      if (seen?.pid && silentMs >= silenceMs) {
        silentMs = 0;
        // Only if that backend still holds the lock: its process id could belong to another session by now.
        await session.query(
          `SELECT pg_terminate_backend(pid) FROM (${holder}) AS holder WHERE pid = $1`,
          [seen.pid],
        );
      }
      // Its secret can be rotated, and a restored snapshot can be that of another server.
      home =
        home && seen?.project
          ? { ...home, project: JSON.parse(seen.project) as Project }
          : await readHome(session, schema);
      // Without a holder, the address is that of an earlier leader.
      return { ...(seen?.pid && seen.url && { url: seen.url }), ...(home && { home }) };
    },
  };
}

/** The first organization and its first project, once a leader has created them. */
async function readHome(session: Session, { rows }: Schema): Promise<LeaderFacts['home']> {
  const [first] = await session.query<{ organization: string; project: string }>(
    `SELECT organization.row AS organization, project.row AS project
     FROM ${rows} AS organization
     JOIN ${rows} AS project ON project.kind = 'projects' AND project.row::json->>'organization' = organization.id
     WHERE organization.kind = 'organizations'
     ORDER BY (organization.row::json->>'rngStream')::bigint, project.id LIMIT 1`,
  );
  return (
    first && {
      organization: JSON.parse(first.organization) as Organization,
      project: JSON.parse(first.project) as Project,
    }
  );
}
