/**
 * Ends a worker at once when jest has no more files for it, since freeing its memory takes longer than ending it. If a test
 * has left something open, says what, and ends it anyway: jest would only say that something is.
 */
const END = 2; // CHILD_MESSAGE_END of jest-worker
const PATIENCE_MS = 5_000;

const shown = (handle) => {
  const { spawnargs, localPort, remotePort, listening, fd } = handle;
  const what = spawnargs?.join(' ') ?? (remotePort && `from ${localPort} to ${remotePort}`) ?? fd;
  const at = listening ? JSON.stringify(handle.address()) : what;
  return `${handle.constructor.name} ${at ?? ''}`;
};

const leave = () => {
  const open = process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap');
  const handles = process._getActiveHandles().map(shown);
  process.stderr.write(`A test left open: ${[...open, ...handles].join(', ').slice(0, 2_000)}\n`);
  process.exit();
};

const told = ([message]) => {
  if (message !== END) return;
  // A listener would keep the worker alive.
  process.off('message', told);
  setTimeout(leave, PATIENCE_MS).unref();
};

if (process.send) {
  process.on('message', told);
  process.once('beforeExit', (code) => process.exit(code));
}
