import { people as personCalls } from '@quarterdeck/contract';
import { useCallback } from 'react';
import { useAnswer } from '../../core/calls';
import { profileName, useSession } from '../../core/session';
import { actorName } from './actor-name';

/** Returns a function that names actor ids; call it once per list. */
export const useActorName = (): ((actor: string) => string) => {
  const { data: people } = useAnswer(personCalls.list);
  const { profile } = useSession();
  return useCallback(
    (actor: string) => {
      const known = people?.some(({ id }) => id === actor);
      // Until the list has loaded, only the signed-in person is known.
      return !known && actor === profile.id ? profileName(profile) : actorName(actor, people);
    },
    [people, profile],
  );
};

export const Actor = ({ id }: { id: string }) => {
  const name = useActorName();
  return <>{name(id)}</>;
};
