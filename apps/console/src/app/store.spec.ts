// covers: SRV-03
test('no extension of the browser records what passes through the store', async () => {
  const connect = jest.fn(() => (enhanced: unknown) => enhanced);
  Object.assign(window, { __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: connect });
  const { createStore } = await import('./store');
  createStore();
  expect(connect).not.toHaveBeenCalled();
});
