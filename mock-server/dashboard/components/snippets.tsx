import { useState } from 'preact/hooks';
import { type Call, curlSnippet, typescriptSnippet } from '../logic/snippets.ts';
import { href } from '../router.ts';
import { Code } from './code.tsx';

/** The playground's call in TypeScript and curl. */
export function Snippets({ call }: { call: Call }) {
  const [language, setLanguage] = useState<'TypeScript' | 'curl'>('TypeScript');
  const text = language === 'curl' ? curlSnippet(call) : typescriptSnippet(call);
  return (
    <section class="card" aria-label="This call in code">
      <header>
        <h2>This call in code</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset inline */}
        <span class="switch" role="group" aria-label="Language">
          {(['TypeScript', 'curl'] as const).map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={language === name}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </span>
      </header>
      <Code text={text} what={`the ${language} code`} />
      <p class="hint">
        This page uses a token that the control API issued; your code uses an{' '}
        <a href={href('keys')}>API key</a>.
      </p>
    </section>
  );
}
