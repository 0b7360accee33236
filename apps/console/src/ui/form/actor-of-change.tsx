/** Shows who changed something. The app's frame provides people's names, which the UI layer does not know. */
import { createContext, useContext, type ReactNode } from 'react';

const UNKNOWN = 'Somebody else';

export const ActorOfChange = createContext<(id: string) => ReactNode>(() => UNKNOWN);

export const ChangedBy = ({ id }: { id: string | undefined }) => {
  const show = useContext(ActorOfChange);
  return <>{id === undefined ? UNKNOWN : show(id)}</>;
};
