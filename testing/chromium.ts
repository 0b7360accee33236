/** Chromium program of the tests: Debian's, so that nothing is downloaded, or the one in the environment. */
import { existsSync } from 'node:fs';

/** The headless shell comes first, because its pages take a sixth less processor time. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export const chromiumProgram = process.env.CHROMIUM ?? PROGRAMS.find((program) => existsSync(program));
