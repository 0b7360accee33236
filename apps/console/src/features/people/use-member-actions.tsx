import { Flex } from '@mantine/core';
import { people } from '@quarterdeck/contract';
import { personName, roleWords, type PersonView } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import { withProof } from '../../records/second-factor/fresh-proof';
import { useAction } from '../../ui/use-action';

/** Member actions. Each asks for confirmation; `failure` holds the last error for the page to show. */
export const useMemberActions = () => {
  const [changeRole] = useChange(people.role);
  const [removePerson] = useChange(people.remove);
  const [forgetPerson] = useChange(people.forget);
  const [signOutPerson] = useChange(people.signOut);
  const [resetPerson] = useChange(people.resetSecondFactor);
  const { act, failure, dismiss } = useAction();

  const assign = async (person: PersonView, role: 'member' | 'admin'): Promise<void> => {
    const name = personName(person);
    const as = roleWords[role].toLowerCase();
    await act({
      ask: {
        title: `Make ${name} ${role === 'admin' ? 'an administrator' : 'a member'}?`,
        body:
          role === 'admin'
            ? 'Administrators can manage everything in this workspace: servers, keys, domains, members.'
            : 'Members see products, but not servers, domains or the history. The change takes effect at once.',
        confirmLabel: `Make ${as}`,
      },
      send: () => changeRole({ id: person.id, role }).unwrap(),
      done: `${name} is now ${as}.`,
      failed: `The role of ${name} was not changed`,
    });
  };

  const signOut = async (person: PersonView): Promise<void> => {
    const name = personName(person);
    await act({
      ask: {
        title: `Sign ${name} out everywhere?`,
        body: 'Every open session ends at once, in every browser. They can sign in again.',
        confirmLabel: 'Sign out everywhere',
      },
      send: () => signOutPerson({ id: person.id }).unwrap(),
      done: `${name} was signed out everywhere.`,
      failed: `${name} was not signed out`,
    });
  };

  const resetFactor = async (person: PersonView): Promise<void> => {
    const name = personName(person);
    await act({
      ask: {
        title: `Reset the second factor of ${name}?`,
        body: (
          <Flex component="ul" gap={8} direction="column" m={0} pl={20}>
            <li>All their second factors and recovery codes are removed.</li>
            <li>They are signed out everywhere, and sign in with the first factor alone.</li>
            <li>They are told so. Make sure that it is {name} who asks you for this.</li>
          </Flex>
        ),
        confirmLabel: 'Reset second factor',
        danger: true,
      },
      send: () => withProof(() => resetPerson({ id: person.id }).unwrap()),
      done: `The second factor of ${name} was reset.`,
      failed: `The second factor of ${name} was not reset`,
    });
  };

  const remove = async (person: PersonView): Promise<void> => {
    const name = personName(person);
    await act({
      ask: {
        title: `Remove ${name}?`,
        body: (
          <Flex component="ul" gap={8} direction="column" m={0} pl={20}>
            <li>Signed out at once in every browser; signing in again is refused.</li>
            <li>Their username and token for the source-code host are deleted.</li>
            <li>Servers, domains, scripts and runs stay. Running work continues.</li>
            <li>The history keeps the name until you forget this person.</li>
            <li>To return, they need a new invitation.</li>
          </Flex>
        ),
        confirmLabel: 'Remove member',
        danger: true,
      },
      send: () => removePerson({ id: person.id }).unwrap(),
      done: `${name} was removed.`,
      failed: `${name} was not removed`,
    });
  };

  const forget = async (person: PersonView): Promise<void> => {
    const name = personName(person);
    await act({
      ask: {
        title: `Forget ${name}?`,
        body: (
          <Flex component="ul" gap={8} direction="column" m={0} pl={20}>
            <li>Name, e-mail and sign-in accounts are deleted for good.</li>
            <li>
              The history keeps every event. It shows “Former member” and part of an id instead of the name.
            </li>
            <li>A later invitation to the same e-mail address creates a new person.</li>
          </Flex>
        ),
        confirmLabel: 'Forget for good',
        danger: true,
        typeToConfirm: name,
      },
      send: () => forgetPerson({ id: person.id }).unwrap(),
      done: 'The person was forgotten.',
      failed: `${name} was not forgotten`,
    });
  };

  return { assign, signOut, resetFactor, remove, forget, failure, dismiss };
};
