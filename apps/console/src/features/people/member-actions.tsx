/** Menu actions for a person, with the reason if one is disabled. */
import {
  IconEraser,
  IconLogout,
  IconShieldCheck,
  IconShieldOff,
  IconUser,
  IconUserMinus,
} from '@tabler/icons-react';
import type { PersonView } from '@quarterdeck/projections';
import type { Action } from '../../ui/DetailPage';
import type { useMemberActions } from './use-member-actions';

type Actions = ReturnType<typeof useMemberActions>;

const superadmin = 'The role superadmin is given and taken at the command line.';
const lastOne = 'This is the last administrator. Make somebody else an administrator first.';

const resetReason = ({ role, secondFactors }: PersonView): string | undefined => {
  if (secondFactors.length === 0) return 'This person has no second factor.';
  return role === 'superadmin'
    ? 'The second factor of a superadministrator is reset at the command line.'
    : undefined;
};

export const memberActions = (person: PersonView, actions: Actions): Action[] => {
  const out = person.role === 'superadmin' ? superadmin : undefined;
  const last = person.lastAdmin ? lastOne : undefined;
  const role =
    person.role === 'member'
      ? {
          label: 'Make administrator…',
          icon: <IconShieldCheck size={15} />,
          onClick: () => void actions.assign(person, 'admin'),
        }
      : {
          label: 'Make member…',
          icon: <IconUser size={15} />,
          onClick: () => void actions.assign(person, 'member'),
          disabledReason: out ?? last,
        };
  return [
    role,
    {
      label: 'Sign out everywhere…',
      icon: <IconLogout size={15} />,
      onClick: () => void actions.signOut(person),
      disabledReason: person.sessions ? undefined : 'No open sessions.',
    },
    {
      label: 'Reset second factor…',
      icon: <IconShieldOff size={15} />,
      onClick: () => void actions.resetFactor(person),
      danger: true,
      disabledReason: resetReason(person),
    },
    {
      label: 'Remove…',
      icon: <IconUserMinus size={15} />,
      onClick: () => void actions.remove(person),
      danger: true,
      disabledReason: out ?? last,
    },
  ];
};

/** Actions for a former member. */
export const formerActions = (person: PersonView, { forget }: Pick<Actions, 'forget'>): Action[] =>
  person.forgottenAt === undefined
    ? [
        {
          label: 'Forget…',
          icon: <IconEraser size={15} />,
          onClick: () => void forget(person),
          danger: true,
        },
      ]
    : [];
