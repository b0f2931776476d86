import { useState } from 'preact/hooks';
import { setToken } from '../state/control.ts';
import { connect } from '../state/live.ts';

/** Asks for the control token, which this tab keeps. */
export function SignIn({ rejected }: { rejected: boolean }) {
  const [typed, setTyped] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    setToken(typed.trim());
    connect();
  };
  return (
    <article class="sign-in">
      <h1>Control token</h1>
      <p>
        {rejected
          ? 'The server did not accept the control token. It was started with another one.'
          : 'This server was started with a control token.'}
      </p>
      <form onSubmit={submit}>
        <label for="token">Control token</label>
        <input
          id="token"
          type="password"
          required
          pattern="[!-~]+"
          title="Visible ASCII characters without spaces"
          autocomplete="off"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit">Open</button>
        <small>This tab keeps it until it is closed, and sends it with every call.</small>
      </form>
    </article>
  );
}
