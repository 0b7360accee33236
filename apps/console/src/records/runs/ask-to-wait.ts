import { confirmAction } from '../../ui/confirm';

/** Offers to wait for the run that is in the way. */
export const askToWait = (msg: string): Promise<boolean> =>
  confirmAction({
    title: 'Wait in line?',
    body: `${msg[0]?.toUpperCase()}${msg.slice(1)}. Or let this run wait in line: it starts when its turn comes, and can be cancelled before.`,
    confirmLabel: 'Wait in line',
    dismissLabel: 'Do not start',
  });
