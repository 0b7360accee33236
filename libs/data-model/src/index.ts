/** The data model of a product, differences between models, and the SQL derived from them. Pure. */
export * from './model';
export { textProblem } from './native';
export { partWords } from './part-words';
export { identifierProblem, importedProblem } from './identifiers';
export * from './problems';
export * from './structure';
export { keyAttributeOf, nativeOf, structureOf } from './structure-of';
export * from './changes';
export type { Step, ColumnShape } from './steps';
export { plan } from './plan';
export { quoted } from './quoted';
export { fileNameOf, fillsItself, migrationsOf, sqlOf, type Migration } from './sql';
export { trialsOf, type Trial } from './trials';
export { riskOf } from './conversions';
export * from './lint';
export { lintViews } from './lint-views';
export { lintWay } from './lint-way';
export { exactQuestions } from './exact-postgresql';
export type { Answers } from './answers';
export { asJson, structureIn, type DatabaseAnswers } from './database-answers';
export { structureFrom } from './introspection';
export { questions } from './questions';
export * from './drift';
export { keeping, stoppedAfter, structureAfter } from './after';
export * from './journal';
export { creationOf, existing, type CreationStep, type NewDatabase } from './creation';
export { firsts, grouped } from './grouped';
export { leftAlone, modelFrom, type Imported } from './importing';
export { adoptedInto } from './adopted';
export { adoptionOf, copyOf, importOf, type Adopted, type Adoption } from './adoption';
export { renamesBetween, type Rename } from './renames';
export { starter } from './starter';
export { moduleOf, typesOf } from './typescript';
export { bundle, filesOf, jsonSchemaOf, sqlArchive, type VersionFiles } from './bundle';
export { answered, filled, judgedValues, type GivenValue, type JudgedValues } from './values';
export { USERS, USER_IDENTITIES, USER_RESETS, USER_SESSIONS, userTables } from './api-users';
export * from './versions';
export {
  administratorIn,
  FIRST,
  insertOf,
  INSTANCES,
  instances,
  type Administrator,
  type FirstAdministrator,
} from './first-instance';
