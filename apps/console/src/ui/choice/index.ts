export { ChoiceInput } from './ChoiceInput';
export { ChoiceSelect } from './ChoiceSelect';
export { SeveralOptions, SeveralRows } from './SeveralInput';
export { choicesOf, type Choices } from './choices';
export { ChosenName } from './ChosenName';
export { useChosen } from './use-chosen';
