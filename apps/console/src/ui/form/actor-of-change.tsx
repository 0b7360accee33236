/** Shows who changed something. The frame knows the names of people; the parts below it do not. */
import { createContext, useContext, type ReactNode } from 'react';

const UNKNOWN = 'Somebody else';

export const ActorOfChange = createContext<(id: string) => ReactNode>(() => UNKNOWN);

export const ChangedBy = ({ id }: { id: string | undefined }) => {
  const show = useContext(ActorOfChange);
  return <>{id === undefined ? UNKNOWN : show(id)}</>;
};
