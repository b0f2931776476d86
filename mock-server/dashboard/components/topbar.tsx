import type { Signal } from '@preact/signals';
import type { DeploymentJson } from '../../../src/index.ts';
import { absoluteTime, clockOffset } from '../logic/format.ts';
import { href } from '../router.ts';
import { clockStopped, reading, serverNow } from '../state/clock.ts';
import { connection } from '../state/live.ts';
import { tenantName } from '../state/names.ts';
import { chooseProject, deployment, type Role, role, tenant, tenants } from '../state/session.ts';
import { Icon } from './icon.tsx';

const roles: readonly (readonly [Role, string])[] = [
  ['admin', 'Admin'],
  ['member', 'Member'],
];

const states = {
  live: ['Live', 'good'],
  connecting: ['Connecting', 'warn'],
  lost: ['Offline', 'bad'],
} as const;

/** The organization, the role, the server's time and the state of the connection. */
export function Topbar({ menu }: { menu: Signal<boolean> }) {
  const [state, tone] = states[connection.value];
  return (
    <header class="topbar">
      <button
        type="button"
        class="icon menu-button"
        aria-label="Menu"
        aria-expanded={menu.value}
        aria-controls="menu"
        onClick={() => {
          menu.value = !menu.value;
        }}
      >
        <Icon name={menu.value ? 'close' : 'menu'} />
      </button>
      <TenantSelect />
      <fieldset class="switch">
        <legend class="hidden">Act as</legend>
        {roles.map(([value, name]) => (
          <button
            type="button"
            key={value}
            aria-pressed={role.value === value}
            onClick={() => {
              role.value = value;
            }}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {deployment.value && (
        <span class="muted" title={JSON.stringify(deployment.value)}>
          Deployment: {differences(deployment.value)}
        </span>
      )}
      <span class="push" />
      <a class="server-time" href={href('time')} title="The server's clock">
        <time dateTime={new Date(serverNow.value).toISOString()}>
          {absoluteTime(serverNow.value)}
        </time>
        <span class="muted mode">{clockStopped.value ? 'stopped' : clockMode()}</span>
      </a>
      <span class="connection" data-state={connection.value} role="status">
        <i class={tone} />
        <span>{state}</span>
      </span>
    </header>
  );
}

/** `wrap, fields, 20 absent`. */
function differences({ $schema: _, absent = [], ...rest }: DeploymentJson): string {
  const count = absent.length > 0 ? [`${absent.length} absent`] : [];
  return [...Object.keys(rest), ...count].join(', ');
}

/** `real clock, 3 days ahead`. */
function clockMode(): string {
  const { at, read, mode } = reading.value;
  const offset = mode === 'real' ? clockOffset(at - read) : undefined;
  return `${mode} clock${offset ? `, ${offset}` : ''}`;
}

function TenantSelect() {
  return (
    <label>
      <span>Organization</span>
      <select
        aria-label="Organization and project"
        value={tenant.value?.project ?? ''}
        onChange={(event) => chooseProject(event.currentTarget.value)}
      >
        {tenants.value.map((one) => (
          <option
            key={one.project}
            value={one.project}
            title={`${one.organization} ${one.project}`}
          >
            {tenantName(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
