import { Alert, Box, Button, Group } from '@mantine/core';
import { auth, invitations } from '@quarterdeck/contract';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { invitationInsert } from '@quarterdeck/events/inputs';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useChange, useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { copyToClipboard } from '../../ui/copying';
import type { Field } from '../../ui/form/fields';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { linkOf, roleOptions } from './people-words';
import look from '../../ui/look.module.css';

const fields: readonly Field[] = [
  { name: 'role', label: 'Role', type: 'select', options: roleOptions },
  {
    name: 'via',
    label: 'How',
    type: 'select',
    options: [
      { value: 'link', label: 'A link that you send yourself' },
      { value: 'github', label: 'A GitHub account: only this account can accept' },
      { value: 'email', label: 'An e-mail address: confirmed by the sign-in provider' },
    ],
  },
  {
    name: 'login',
    label: 'GitHub login',
    type: 'text',
    placeholder: 'octocat',
    autoComplete: 'off',
    when: ({ via }) => via === 'github',
  },
  {
    name: 'email',
    label: 'E-mail',
    type: 'text',
    placeholder: 'grace@example.org',
    autoComplete: 'off',
    help: 'No e-mail is sent. The sign-in provider has to confirm the address.',
    when: ({ via }) => via === 'email',
  },
];

const withoutProvider = {
  login: 'It cannot be accepted yet: this installation has no sign-in provider.',
  email: 'It cannot be accepted yet: this installation has no sign-in provider.',
};
const initial = { role: 'member', via: 'link', login: '', email: '' };

export const InvitePage = () => {
  const navigate = useNavigate();
  const { instance } = useSession();
  const [invite] = useChange(invitations.insert);
  const { data: providers } = useAnswer(auth.providers);
  const [code, setCode] = useState<string>();
  if (code !== undefined) return <LinkOnce code={code} />;
  return (
    <>
      <PageHeader
        title="Invite"
        description={
          <>
            Invites one person to {instance.name}; expires in 7 days.{' '}
            <Link to={paths.members()}>Back to the members</Link>
          </>
        }
      />
      <ResourceForm
        label="Invite"
        schema={invitationInsert}
        fields={fields}
        initial={initial}
        submitLabel="Invite"
        onCancel={() => void navigate(paths.members())}
        remarks={providers?.length === 0 ? withoutProvider : undefined}
        onSubmit={async ({ login, email, ...offer }) => {
          const to = login ?? email;
          const invited = await invite({
            ...offer,
            ...(login === undefined ? {} : { login }),
            ...(email === undefined ? {} : { email }),
          }).unwrap();
          if (invited.code !== undefined) return setCode(invited.code);
          toast.success(`${to} is invited to ${instance.name}.`);
          await navigate(paths.members('invitations'));
        }}
      />
    </>
  );
};

const LinkOnce = ({ code }: { code: string }) => {
  const link = linkOf(code);
  const [copied, setCopied] = useState<boolean>();
  return (
    <>
      <PageHeader title="Invitation link" />
      <Alert color="yellow" title="Copy it now; it won’t be shown again">
        Only its fingerprint is stored. Send the link to the person you invite: the first one to open it can
        join.
      </Alert>
      <Box
        component="p"
        className={`${look.framed} ${look.wrap}`}
        m="16px 0"
        p="12px 16px"
        bg="var(--qd-raised)"
      >
        <code>{link}</code>
      </Box>
      <Group gap="xs">
        <Button
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={() => void copyToClipboard(link).then(setCopied)}
        >
          {copied ? 'Copied' : 'Copy link'}
        </Button>
        <Button component={Link} to={paths.members('invitations')} variant="default">
          Show invitations
        </Button>
      </Group>
      {copied === false && (
        <p role="status">The browser does not allow copying. Select the link and copy it by hand.</p>
      )}
    </>
  );
};
