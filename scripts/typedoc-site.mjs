import { Converter, JSX, ReflectionKind } from 'typedoc';
import { clientEntries, mockEntries, specifier } from './entries.ts';

const pages = { 'service.html': 'API of the service', 'control.html': 'API of the control plane' };

/** `src/webhooks`, as TypeDoc calls a module → `contentgen/webhooks`, as users import it. */
const importPaths = new Map(
  Object.entries({ ...clientEntries, ...mockEntries }).map(([subpath, source]) => [
    source.replace(/(\/index)?\.ts$/, ''),
    specifier(subpath),
  ]),
);

/** The guides in the repository, to which the README links so that its links work from npm too. */
const inRepository =
  /\]\(https:\/\/github\.com\/contentgen\/contentgen\/blob\/main\/docs\/([\w-]+\.md)(#[\w-]+)?\)/g;

/** What the built site has beside TypeDoc's own. */
export function load({ converter, renderer }) {
  converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
    if (reflection.kind !== ReflectionKind.Module) return;
    reflection.name = importPaths.get(reflection.name) ?? reflection.name;
  });
  // A guide is called by its first heading, not by the name of its file.
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
        // The page has its title from the package already.
        .replace(/^# .+\n+/, '')
        .replace(inRepository, (link, file, anchor = '') => {
          const title = titles.get(file);
          return title ? `](documents/${fileName(title)}${anchor})` : link;
        });
    }
  });
  // The pages that service-reference.mjs writes; a navigation link of TypeDoc's is not relative to its page.
  renderer.hooks.on('sidebar.begin', ({ relativeURL }) =>
    JSX.createElement(
      'nav',
      { class: 'tsd-navigation' },
      ...Object.entries(pages).map(([page, title]) =>
        JSX.createElement('a', { href: relativeURL(page) }, title),
      ),
    ),
  );
}

/** As TypeDoc names the page of a document. */
const fileName = (title) => `${title.replace(/[^\w,.-]/g, '_')}.html`;
