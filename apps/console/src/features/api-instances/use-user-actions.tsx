/** What an operator does with a user of an API. Each is asked first; `failure` has the last refusal. */
import { apiUsers, type ApiUser } from '@quarterdeck/contract';
import { endpointPermissions } from '@quarterdeck/events';
import { IconLock, IconLockOpen, IconLogout, IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { useChange } from '../../core/calls';
import type { Action } from '../../ui/DetailPage';
import { useAction } from '../../ui/use-action';

export const useUserActions = (instance: string) => {
  const [lock] = useChange(apiUsers.lock);
  const [signOut] = useChange(apiUsers.signOut);
  const [permit] = useChange(apiUsers.permit);
  const [remove] = useChange(apiUsers.delete);
  const { act, failure, dismiss } = useAction();

  const actionsOf = (user: ApiUser): Action[] => {
    const { email, permission, lockedAt, sessions } = user;
    const of = { instance: { uuid: instance }, user: { uuid: user.id } };
    const lockOrUnlock: Action =
      lockedAt === null
        ? {
            label: 'Lock…',
            icon: <IconLock size={15} />,
            danger: true,
            onClick: () =>
              void act({
                ask: {
                  title: `Lock ${email}?`,
                  body: 'All their sessions end at once, and they cannot sign in until you unlock them.',
                  confirmLabel: 'Lock user',
                  danger: true,
                },
                send: () => lock({ ...of, isLocked: true }).unwrap(),
                done: `${email} was locked.`,
                failed: `${email} was not locked`,
              }),
          }
        : {
            label: 'Unlock',
            icon: <IconLockOpen size={15} />,
            onClick: () =>
              void act({
                send: () => lock({ ...of, isLocked: false }).unwrap(),
                done: `${email} was unlocked.`,
                failed: `${email} was not unlocked`,
              }),
          };
    return [
      lockOrUnlock,
      {
        label: 'Sign out everywhere…',
        icon: <IconLogout size={15} />,
        disabledReason: sessions > 0 ? undefined : 'No open sessions.',
        onClick: () =>
          void act({
            ask: {
              title: `Sign ${email} out everywhere?`,
              body: 'Every session ends at once. They can sign in again.',
              confirmLabel: 'Sign out everywhere',
            },
            send: () => signOut(of).unwrap(),
            done: `${email} was signed out everywhere.`,
            failed: `${email} was not signed out`,
          }),
      },
      ...endpointPermissions
        .filter((one) => one !== permission)
        .map((one): Action => ({
          label: `Give the permission ${one}…`,
          icon: <IconShieldCheck size={15} />,
          onClick: () =>
            void act({
              ask: {
                title: `Give ${email} the permission ${one}?`,
                body: `They have ${permission} now. From their next request on, they can call the endpoints that accept ${one}.`,
                confirmLabel: `Give ${one}`,
              },
              send: () => permit({ ...of, permission: one }).unwrap(),
              done: `${email} has the permission ${one} now.`,
              failed: `The permission of ${email} was not changed`,
            }),
        })),
      {
        label: 'Delete…',
        icon: <IconTrash size={15} />,
        danger: true,
        onClick: () =>
          void act({
            ask: {
              title: `Delete ${email}?`,
              body: 'Their account and their sessions are deleted for good. What they wrote through the API stays.',
              confirmLabel: 'Delete user',
              danger: true,
              typeToConfirm: email,
            },
            send: () => remove(of).unwrap(),
            done: `${email} was deleted.`,
            failed: `${email} was not deleted`,
          }),
      },
    ];
  };

  return { actionsOf, failure, dismiss };
};
