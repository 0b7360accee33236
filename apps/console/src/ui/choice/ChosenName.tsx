import type { Choices } from './choices';
import { useChosen } from './use-chosen';

/** The label of a row, fetched if necessary. */
export const ChosenName = ({ from, id }: { from: Choices; id: string }) => <>{useChosen(from, id).label}</>;
