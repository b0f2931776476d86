import type { Signal } from '@preact/signals';
import { absoluteTime, shortId } from '../logic/format.ts';
import { href } from '../router.ts';
import { reading, serverNow } from '../state/clock.ts';
import { connection } from '../state/live.ts';
import { chooseProject, type Role, role, tenant, tenants } from '../state/session.ts';
import { Icon } from './icon.tsx';

const roles: readonly (readonly [Role, string])[] = [
  ['admin', 'Admin'],
  ['member', 'Member'],
];

const states = {
  live: 'Live',
  connecting: 'Connecting',
  lost: 'Server unreachable, retrying',
} as const;

/** The organization, the role, the server's time and the state of the connection. */
export function Topbar({ menu }: { menu: Signal<boolean> }) {
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
      <span class="push" />
      <a class="server-time" href={href('time')} title="The server's clock">
        <time dateTime={new Date(serverNow.value).toISOString()}>
          {absoluteTime(serverNow.value)}
        </time>
        <span class="muted mode">{reading.value.mode} clock</span>
      </a>
      <span class="connection" data-state={connection.value} role="status">
        <i />
        <span>{states[connection.value]}</span>
      </span>
    </header>
  );
}

function TenantSelect() {
  return (
    <label>
      <span>Organization</span>
      <select
        class="mono"
        aria-label="Organization and project"
        value={tenant.value?.project ?? ''}
        onChange={(event) => chooseProject(event.currentTarget.value)}
      >
        {tenants.value.map(({ organization, project }) => (
          <option key={project} value={project}>
            {shortId(organization)} / {shortId(project)}
          </option>
        ))}
      </select>
    </label>
  );
}
