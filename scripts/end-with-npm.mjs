/**
 * npm passes SIGINT and SIGTERM on, but a killed npm cannot: its script would stay alive and keep the port. So a
 * process started by npm ends gracefully when npm is gone. npm is our parent or, with a shell between us, its parent.
 * Without /proc only the first is checked.
 */
import fs from 'node:fs';

export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const above = ancestors();
  const watch = setInterval(() => {
    if (ancestors() === above) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}

function ancestors() {
  const parent = statOf(process.ppid);
  const isShell = parent !== undefined && /^(ba|da|z)?sh$/.test(parent.name);
  return isShell ? `${process.ppid} ${parent.parent}` : String(process.ppid);
}

function statOf(pid) {
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return { name, parent: rest.split(' ')[1] };
  } catch {
    return undefined;
  }
}
