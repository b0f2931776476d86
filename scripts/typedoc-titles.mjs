import { Converter } from 'typedoc';

/** A guide is called by its first heading, not by the name of its file. */
export function load({ converter }) {
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    const [first] = document.content;
    const heading = /^# (.+)\n+/.exec(first?.text ?? '');
    if (!heading) return;
    document.name = heading[1];
    first.text = first.text.slice(heading[0].length);
  });
}
