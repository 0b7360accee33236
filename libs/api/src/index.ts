/** The language of a product's API: its grammar, what is wrong with an endpoint, its SQL, and its documents. Pure. */
export { LIMITS } from './limits';
export { SOURCES, type From, type Literal, type Mapping, type Source, type Value } from './values';
export { OPERATORS, type Filter, type Operators, type Order, type Reference } from './filters';
export {
  BLOCK_TYPES,
  blockShape,
  CRUD_TYPES,
  isWriting,
  type Block,
  type BlockType,
  type CrudBlock,
  type ReadBlock,
  type WriteBlock,
} from './blocks';
export {
  bodyShapeShape,
  BODY_TYPES,
  endpointShape,
  METHODS,
  parametersOf,
  PERMISSIONS,
  type BodyField,
  type BodyShape,
  type BodyType,
  type Endpoint,
  type Permission,
} from './endpoint';
export {
  apiModelOf,
  pointingAt,
  shownOf,
  type ApiAttribute,
  type ApiEntity,
  type ApiModel,
  type ApiOptions,
  type ApiType,
} from './api-model';
export { problemsOf } from './problems';
export type { Problem } from './surroundings';
export { bind, bound, Refused, resolved, type Bound, type Refusal, type Values } from './bind';
export {
  compile,
  compileCall,
  statementsOf,
  Uncompilable,
  type CompiledBlock,
  type CompiledEndpoint,
} from './compile';
export { ofValue, perform, type Answered, type Result, type Tools } from './running/perform';
export { checkBody, serve, type Request, type ServeTools } from './running/serve';
export { answerShape, bodySchema, parametersIn, type ParameterShape, type Schema } from './shapes';
export { openApiOf, type Described } from './openapi';
export { clientOf } from './client';
export { changesBetween, type ApiChange, type Definition, type UnservedEndpoint } from './changes';
export { databaseRefusalOf, isConflictOfTransactions, sessionOf } from './database-errors';
