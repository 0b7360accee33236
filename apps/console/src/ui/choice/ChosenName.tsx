import type { Choices } from './choices';
import { useChosen } from './use-chosen';

/** The name of a row of the list. */
export const ChosenName = ({ from, id }: { from: Choices; id: string }) => <>{useChosen(from, id).label}</>;
