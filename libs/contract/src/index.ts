/**
 * All calls of the API. The browser gets them without schemas and examples: see `contractForBrowsers` in
 * `apps/console/contract-for-browsers.ts`.
 */
import { contractOf, type Call } from './call';
import { plainCalls } from './kit';
import * as nouns from './nouns';

export * from './call';
export type {
  ApiChanges,
  ApiReplay,
  ApiAddress,
  ApiTraffic,
  EndpointProblem,
  ReplayedRequest,
  SampledRequest,
  TriedEndpoint,
} from './api-answers';
export type { DescribedApi, DescribedApiWithEndpoints } from './api-instances';
export type { ApiUser, ApiUsers } from './api-users';
export type { AttributeWithEntity } from './entities';
export type { LogLine, LogPush, LogState } from './logs';
export type { ProductWithServices } from './products';
export type { AnswerHead, CollectionResults, RequestAnswer, RequestLog } from './requests';
export type { ScheduleFiring, ScheduleState } from './schedules';
export type { WorkflowCount, WorkflowsWaiting } from './workflow-answers';
export type { PushDelivery } from './pushes';
export type { WorkflowFiring } from './workflow-triggers';
export type { WorkflowChange, WorkflowInstanceDetail, WorkflowInstancePage } from './workflows';
export { callsOf, declared, plainCalls, type AnyNounCalls, type CallsOf, type NounCalls } from './kit';
export * from './nouns';

export const contract: readonly Call[] = contractOf([...Object.values(nouns), ...Object.values(plainCalls)]);
