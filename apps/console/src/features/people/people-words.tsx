import type { InvitationWay, Role } from '@quarterdeck/events';
import { roleWords } from '@quarterdeck/projections';
import { IconShieldCheck, IconShieldStar, IconUser } from '@tabler/icons-react';
import { StateBadge } from '../../ui/StateBadge';

const icons = { member: IconUser, admin: IconShieldCheck, superadmin: IconShieldStar } as const;

export const RoleBadge = ({ role }: { role: Role }) => (
  <StateBadge state={role} tone="quiet" icon={icons[role]} label={roleWords[role]} />
);

export const wayWords: Record<InvitationWay, string> = {
  link: 'Link',
  github: 'GitHub login',
  email: 'E-mail',
};

export const roleOptions = [
  { value: 'member', label: 'Member: views products; no access to servers and domains' },
  { value: 'admin', label: 'Administrator: everything in this workspace' },
];

/** URL of an invitation. The code is after the `#`, so it is never sent to a server or written to a log. */
export const linkOf = (code: string): string => `${window.location.origin}/invite#${code}`;
