import { expect, test, vi } from 'vitest';
import { onAbort } from '../../../mock-server/domain/listeners.ts';

test('the listener is called once, when the signal aborts', () => {
  const controller = new AbortController();
  const listener = vi.fn();
  onAbort(controller.signal, listener);
  expect(listener).not.toHaveBeenCalled();
  controller.abort();
  controller.abort();
  expect(listener).toHaveBeenCalledOnce();
});

test('a signal that has already aborted calls the listener right away', () => {
  const listener = vi.fn();
  onAbort(AbortSignal.abort(), listener)();
  expect(listener).toHaveBeenCalledOnce();
});

test('a listener that was removed is not called', () => {
  const controller = new AbortController();
  const listener = vi.fn();
  const stopListening = onAbort(controller.signal, listener);
  stopListening();
  controller.abort();
  expect(listener).not.toHaveBeenCalled();
});
