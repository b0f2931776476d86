import { Converter, JSX } from 'typedoc';

const pages = { 'service.html': 'API of the service', 'control.html': 'API of the control plane' };

/** What the built site has beside TypeDoc's own. */
export function load({ converter, renderer }) {
  // A guide is called by its first heading, not by the name of its file.
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const [first] = document.content;
    const heading = /^# (.+)\n+/.exec(first?.text ?? '');
    if (!heading) return;
    document.name = heading[1];
    first.text = first.text.slice(heading[0].length);
  });
  // The page has its title from the package already.
  converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const [first] = project.readme ?? [];
    if (first) first.text = first.text.replace(/^# .+\n+/, '');
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
