import { people as personCalls } from '@quarterdeck/contract';
import type { NamedPerson } from '@quarterdeck/projections';
import { useCallback } from 'react';
import { useAnswer } from '../../core/calls';
import { profileName, useSession } from '../../core/session';
import { actorName } from './actor-name';

/** Returns a function that names actor ids; call it once per list. */
export const useActorName = (): ((actor: string) => string) => {
  const { profile, can } = useSession();
  const isAdmin = can('admin');
  const { data: known } = useAnswer(personCalls.list, undefined, { skip: !isAdmin });
  const { data: names } = useAnswer(personCalls.names, undefined, { skip: isAdmin });
  const people: readonly NamedPerson[] | undefined = known ?? names;
  return useCallback(
    (actor: string) => {
      const isKnown = people?.some(({ id }) => id === actor);
      // Until the list has loaded, only the signed-in person is known.
      return !isKnown && actor === profile.id ? profileName(profile) : actorName(actor, people);
    },
    [people, profile],
  );
};

/** `inSentence`: after other words, as in "by the command line". */
export const Actor = ({ id, inSentence = false }: { id: string; inSentence?: boolean }) => {
  const name = useActorName()(id);
  return <>{inSentence ? name.replace(/^The command line$/, 'the command line') : name}</>;
};
