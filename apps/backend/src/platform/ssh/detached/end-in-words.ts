import type { ServerEnd } from './said';
import type { RemoteEnd } from './types';

type Lost = Extract<RemoteEnd, { is: 'lost' }>;

/** Explains to an operator what became of work without an exit code. */
export const endInWords = (end: Exclude<ServerEnd, { is: 'exited' }>): Omit<Lost, 'report'> => {
  switch (end.is) {
    case 'rebooted':
      return {
        is: 'lost',
        why: 'rebooted',
        reason:
          'The server was rebooted while the script ran. What it printed until then is known, the rest is not.',
      };
    case 'vanished':
      return {
        is: 'lost',
        why: 'vanished',
        reason:
          'The script runs no more on the server and left no exit code: it was killed there, by hand or for want of memory.',
      };
    case 'removed':
    case 'unknown':
      return {
        is: 'lost',
        why: 'vanished',
        reason: 'What was kept of the script on the server is not there any more, so its end is not known.',
      };
    case 'never':
      return {
        is: 'lost',
        why: 'neverStarted',
        reason: end.why
          ? `The script was not run: it could not be put on the server (${end.why}).`
          : 'The script was not run, and will not be: what should have started it on the server ended too early.',
      };
  }
};
