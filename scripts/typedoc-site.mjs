import { Converter, JSX, ReflectionKind } from 'typedoc';
import { clientEntries, mockEntries, specifier } from './entries.ts';

/** TypeDoc's name of a module, such as `src/webhooks` → its import path, such as `contentgen/webhooks`. */
const importPaths = new Map(
  Object.entries({ ...clientEntries, ...mockEntries }).map(([subpath, source]) => [
    source.replace(/(\/index)?\.ts$/, ''),
    specifier(subpath),
  ]),
);

/** Links to the guides in the repository. The README uses them because they also work on npm. */
const inRepository =
  /\]\(https:\/\/github\.com\/contentgen\/contentgen\/blob\/main\/docs\/([\w-]+\.md)(#[\w-]+)?\)/g;

/** Extends the site that TypeDoc builds. */
export function load({ converter, renderer }) {
  converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
    if (reflection.kind !== ReflectionKind.Module) return;
    reflection.name = importPaths.get(reflection.name) ?? reflection.name;
  });
  // The page of the HTTP API says the same as these two, which take megabytes.
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const reflection of project.getReflectionsByKind(ReflectionKind.Interface)) {
      if (/^(paths|operations)$/.test(reflection.name)) project.removeReflection(reflection);
    }
  });
  // A guide is named after its first heading, not after its file.
  const titles = new Map();
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const [first] = document.content;
    const heading = /^# (.+)\n+/.exec(first?.text ?? '');
    if (!heading) return;
    titles.set(`${document.name}.md`, heading[1]);
    document.name = heading[1];
    first.text = first.text.slice(heading[0].length);
  });
  converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const part of project.readme ?? []) {
      if (part.kind !== 'text') continue;
      part.text = part.text
        // The page already has a title: the package's name.
        .replace(/^# .+\n+/, '')
        .replace(inRepository, (link, file, anchor = '') => {
          const title = titles.get(file);
          return title ? `](documents/${fileName(title)}${anchor})` : link;
        });
    }
  });
  // Links to the reference that redocly builds. TypeDoc's own navigation links would not be relative to the page.
  renderer.hooks.on('sidebar.begin', ({ relativeURL }) =>
    JSX.createElement(
      'nav',
      { class: 'tsd-navigation' },
      JSX.createElement('a', { href: relativeURL('service.html') }, 'Service API'),
    ),
  );
}

/** TypeDoc's file name for the page of a document. */
const fileName = (title) => `${title.replace(/[^\w,.-]/g, '_')}.html`;
