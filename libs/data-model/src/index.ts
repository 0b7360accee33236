/** The data model of a product, differences between models, and the SQL derived from them. Pure. */
export * from './model';
export { identifierProblem } from './identifiers';
export * from './problems';
export * from './structure';
export * from './changes';
export { plan, type Step, type ColumnShape } from './plan';
export { dialects, fileNameOf, migrationsOf, quoted, sqlOf, type Dialect, type Migration } from './sql';
export { riskOf } from './conversions';
export * from './lint';
export { lintViews } from './lint-views';
export { lintWay } from './lint-way';
export { questions, structureFrom, type Answers } from './introspection';
export * from './drift';
export { keeping, stoppedAfter, structureAfter } from './after';
export * from './journal';
export { creationOf, existing, type CreationStep, type NewDatabase } from './creation';
export { firsts, grouped } from './grouped';
export { modelFrom, type Imported } from './importing';
export { adoptionOf, importOf, type Adopted, type Adoption } from './adoption';
export { renamesBetween, type Rename } from './renames';
export { starter } from './starter';
export { moduleOf, typesOf } from './typescript';
export { bundle, filesOf, jsonSchemaOf, sqlArchive, type VersionFiles } from './bundle';
export { answered, filled, judgedValues, type GivenValue, type JudgedValues } from './values';
export * from './versions';
export {
  administratorIn,
  FIRST,
  insertOf,
  INSTANCES,
  instances,
  type FirstAdministrator,
} from './first-instance';
