// covers: SRV-03
test('the store does not connect to the Redux DevTools extension', async () => {
  const connect = jest.fn(() => (enhanced: unknown) => enhanced);
  Object.assign(window, { __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: connect });
  const { createStore } = await import('./store');
  createStore();
  expect(connect).not.toHaveBeenCalled();
});

test('the store knows when its tab is hidden, so that hidden tabs do not poll', async () => {
  const { createStore } = await import('./store');
  const store = createStore();
  const focused = (visibility: DocumentVisibilityState): boolean => {
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    return store.getState().api.config.focused;
  };
  expect([focused('hidden'), focused('visible')]).toEqual([false, true]);
});
