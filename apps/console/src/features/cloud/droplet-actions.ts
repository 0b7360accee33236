/** What can be done with a droplet, besides its deletion. */
import type { DropletView } from '@quarterdeck/projections';
import { paths } from '../../core/paths';
import type { Action } from '../../ui/DetailPage';

/** Actions that ask for something in a form. */
export type DropletForm = 'associate' | 'product' | 'resize' | 'rename' | 'snapshot' | 'rebuild';

export interface PlainAction {
  type: 'power_on' | 'power_off' | 'shutdown' | 'reboot' | 'power_cycle';
  label: string;
  /** What happens, to confirm first. */
  question?: string;
}

const plain: readonly (PlainAction & { needs?: DropletView['status'] })[] = [
  { type: 'power_on', label: 'Power on', needs: 'off' },
  {
    type: 'reboot',
    label: 'Reboot',
    needs: 'active',
    question: 'Everything on it is unreachable until it is up again.',
  },
  {
    type: 'shutdown',
    label: 'Shut down',
    needs: 'active',
    question: 'Its system ends everything on it, and then it is off. It still costs the same.',
  },
  {
    type: 'power_off',
    label: 'Power off',
    needs: 'active',
    question:
      'As if its plug were pulled: unsaved data may be lost. Shut down is gentler. It still costs the same.',
  },
  {
    type: 'power_cycle',
    label: 'Power cycle',
    needs: 'active',
    question: 'As if its plug were pulled and put back: unsaved data may be lost. Reboot is gentler.',
  },
];

const forms: readonly { form: DropletForm; label: string; danger?: true; needs?: DropletView['status'] }[] = [
  { form: 'resize', label: 'Resize', needs: 'off' },
  { form: 'rename', label: 'Rename' },
  { form: 'snapshot', label: 'Take a snapshot' },
  { form: 'rebuild', label: 'Rebuild', danger: true },
];

const reasons: Readonly<Record<string, string>> = {
  off: 'The droplet has to be off: shut it down first.',
  active: 'The droplet is not running.',
};

/** Its changes and its runs, also after it is gone. */
export const lifeOf = (id: string): string => paths.history({ category: 'droplet', id, parts: 'true' });

interface Done {
  ask: (form: DropletForm) => void;
  perform: (action: PlainAction) => void;
  open: (to: string) => void;
}

export const dropletActions = (
  { id, status, server }: Pick<DropletView, 'id' | 'status' | 'server'>,
  { ask, perform, open }: Done,
): readonly Action[] => {
  const off = (needs: DropletView['status'] | undefined, reason = needs && reasons[needs]) => ({
    disabledReason: needs === undefined || needs === status ? undefined : reason,
  });
  return [
    ...plain.map(({ needs, ...action }) => ({
      label: action.label,
      ...off(
        needs,
        action.type === 'power_on' && status === 'active' ? 'The droplet is running.' : undefined,
      ),
      onClick: () => perform(action),
    })),
    ...forms.map(({ form, needs, ...action }) => ({ ...action, ...off(needs), onClick: () => ask(form) })),
    ...(server ? [{ label: 'Choose the product of its costs', onClick: () => ask('product') }] : []),
    { label: 'History', reads: true, onClick: () => open(lifeOf(id)) },
  ];
};
