import { escapeHtml } from './reference-html.ts';

/** Where the page posts the token; DELETE signs out. */
export const SESSION_PATH = '/_control/session';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; place-items: center; min-height: 100vh; margin: 0; }
form { width: min(22rem, 100% - 3rem); } h1 { font-size: 1.25rem; }
label { display: block; margin-bottom: .25rem; }
input, button { box-sizing: border-box; width: 100%; padding: .6rem .75rem; font: inherit; border-radius: .5rem; border: 1px solid #8888; }
button { margin-top: .75rem; border: 0; background: #0a6; color: #fff; font-weight: 600; cursor: pointer; }
[role=alert] { color: #c33; }
`;

/** Asks for the control token. It has no scripts. */
export function signInPage(status: number, error?: string): Response {
  const alert = error === undefined ? '' : `<p role="alert">${escapeHtml(error)}</p>`;
  return page(
    status,
    'Sign in',
    `${alert}
<label for="token">Control token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button>`,
  );
}

/** Shows that the caller is signed in, with a button to sign out. */
export function signedInPage(): Response {
  return page(
    200,
    'Signed in',
    `<p>You are signed in. <a href="../../">Open the dashboard</a></p>
<button name="sign-out" value="yes">Sign out</button>`,
  );
}

/** A form that posts to the session address. */
function page(status: number, title: string, fields: string): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · ContentGen reference server</title><style>${STYLE}</style></head>
<body><form method="post" action="${SESSION_PATH}">
<h1>ContentGen reference server</h1>
${fields}
</form></body></html>
`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  });
}
