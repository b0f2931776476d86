import * as installed from 'msw';

// MSW 1 has no `http`. A named import of it would fail while modules are linked, before anything could say why.
if (!installed.http) {
  throw new Error(
    'contentgen/mock/{msw,node,browser} need msw 2 or later. Install it: npm install --save-dev msw@latest.',
  );
}

/** MSW's `http`, of a version that has it. */
export const { http } = installed;
