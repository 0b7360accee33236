/** Which Chromium opens the pages: Debian's, so that nothing is downloaded, or the one in the environment. */
import { existsSync } from 'node:fs';

/** The first one has no windows, and its pages take a sixth less processor time. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export const chromiumProgram = process.env.CHROMIUM ?? PROGRAMS.find((program) => existsSync(program));
