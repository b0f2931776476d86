import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Page } from './page.tsx';

/** A page that is loaded when it is first opened. */
export function lazyPage(title: string, load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;

  return function LazyPage() {
    const [View, setView] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (view) => {
          loaded = view;
          setView(() => view);
        },
        () => setFailed(true),
      );
    }, []);
    if (View) return <View />;
    return (
      <Page title={title}>
        {failed ? (
          <p role="alert">
            Failed to load this page. Check that the server is running, then reload.
          </p>
        ) : (
          <p class="muted">Loading…</p>
        )}
      </Page>
    );
  };
}
