export { ChoiceInput } from './ChoiceInput';
export { ChoiceSelect } from './ChoiceSelect';
export { choicesOf, type Choices } from './choices';
export { ChosenName } from './ChosenName';
export { useChosen } from './use-chosen';
