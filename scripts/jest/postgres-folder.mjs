/** The folder of the Postgres that one jest run shares; testing/postgres.ts starts the server on demand. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'quarterdeck-jest-postgres-';

/** Named after the process, so that the next run can clean up after a killed one. */
export async function setUp() {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : Number.NaN);
    if (Number.isInteger(pid) && !isAlive(pid)) await remove(path.join(os.tmpdir(), name));
  }
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  fs.chmodSync(dir, 0o755);
  process.env.QUARTERDECK_TEST_POSTGRES = dir;
}

export async function tearDown() {
  await remove(process.env.QUARTERDECK_TEST_POSTGRES);
}

async function remove(dir) {
  const pidFile = path.join(dir, 'postgres/postmaster.pid');
  if (fs.existsSync(pidFile)) {
    const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]);
    // SIGQUIT ends Postgres at once; nobody needs these files again.
    if (isPostgres(pid)) process.kill(pid, 'SIGQUIT');
    for (let i = 0; i < 100 && fs.existsSync(pidFile) && isPostgres(pid); i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Without /proc, the pid file is trusted. */
function isPostgres(pid) {
  if (!fs.existsSync('/proc/self/status')) return isAlive(pid);
  try {
    return /^Name:\s+postgres\nUmask:.*\nState:\s+[^Z]/.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
