/** The little HTML and Markdown that the API reference needs. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function escapeHtml(text: unknown): string {
  return String(text ?? '').replace(/[&<>"]/g, (character) => ESCAPES[character] as string);
}

function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

/** Paragraphs, `- ` lists, `code` and **strong**. */
export function prose(text: unknown): string {
  if (typeof text !== 'string') return '';
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      if (!block.startsWith('- ')) return `<p>${inline(block)}</p>`;
      const items = block.split(/^- /m).slice(1);
      return `<ul>${items.map((item) => `<li>${inline(item.trim())}</li>`).join('')}</ul>`;
    })
    .join('\n');
}

/** Inline Markdown without a paragraph around it. */
export function phrase(text: unknown): string {
  return typeof text === 'string' ? inline(text.trim()) : '';
}

export function json(value: unknown): string {
  return `<pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n');
  return `<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0a6; font: 16px/1.55 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem; box-sizing: border-box; border-right: 1px solid var(--line); font-size: .875rem; }
nav ol { list-style: none; margin: 0 0 1rem; padding: 0; } nav a { display: block; padding: .15rem 0; }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 6rem; max-width: 60rem; }
h1, h2, h3, p, li, a { overflow-wrap: anywhere; } a { color: inherit; } h1 { margin-top: 0; } h2 { margin-top: 3rem; } h3 { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
code, pre { font-family: ui-monospace, monospace; font-size: .875em; } pre { background: var(--soft); padding: .75rem 1rem; overflow: auto; border-radius: .5rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
.method { font-weight: 700; color: var(--accent); } .note { font-size: .875rem; opacity: .8; } summary { cursor: pointer; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; max-height: 45vh; border: 0; border-bottom: 1px solid var(--line); } }
`;

/** A complete page without scripts or external resources. */
export function page(title: string, navigation: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><nav aria-label="Contents">${navigation}</nav><main>${content}</main></body>
</html>
`;
}
