export { Claims, type Remade } from './claims';
export { deciderHandlers, Decisions, DecisionsModule, followUp, type Loaded } from './decider-handlers';
export {
  fieldsBack,
  setBack,
  type UndoGiven,
  Undoing,
  type Undone,
  type UndoPlan,
  type UndoWork,
} from './undoing';
export { nameKey, UniqueNames } from './unique-names';
export { claimsTables } from './claims.tables';
