import { expect, it, vi } from 'vitest';

it('imports the package, whose element is empty and does nothing here, with one line in the console at most', async () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => {});
  const error = vi.spyOn(console, 'error');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await import('workspace-chat');
  await customElements.whenDefined('workspace-chat');
  const chat = document.createElement('workspace-chat');
  document.body.append(chat);
  chat.show();
  expect(await chat.send('Hi')).toBe(null);
  expect([chat.shadowRoot, chat.childNodes.length]).toEqual([null, 0]);
  expect(info.mock.calls.length).toBe(1);
  expect(error).not.toHaveBeenCalled();
  // Vitest loads the development build of Lit, which says so.
  expect(warn.mock.calls.filter(([text]) => !String(text).startsWith('Lit is in dev mode'))).toEqual([]);
});
