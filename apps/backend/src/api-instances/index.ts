/** Generated APIs: their instances, how their users sign in, and their endpoints. */
import { Module } from '@nestjs/common';
import { apiInstance, endpoint, oauthParam } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { ApiChangesController } from './api-changes.controller';
import { ApiDocumentsController } from './api-documents.controller';
import { ApiInstances } from './api-instances';
import { ApiInstancesController } from './api-instances.controller';
import { ApiLibrary } from './api-library';
import { EndpointRules } from './endpoint-rules';
import { InstanceRules } from './instance-rules';

export { stemOf } from './api-documents.controller';
export { ApiLibrary } from './api-library';
export { part } from './api-instances';
export type { InstanceView } from './described';
export { endpointOf, endpointProblems } from './endpoint-problems';

const nouns = [plain(apiInstance), plain(oauthParam), plain(endpoint)];

@Module({
  controllers: [
    ...nouns.flatMap(({ controllers }) => controllers),
    ApiInstancesController,
    ApiDocumentsController,
    ApiChangesController,
  ],
  providers: [
    ...nouns.flatMap(({ providers }) => providers),
    ApiInstances,
    ApiLibrary,
    EndpointRules,
    InstanceRules,
    hook({ on: judgedFields(apiInstance), by: InstanceRules, does: ({ judge }) => judge }),
    hook({ on: judgedFields(endpoint), by: EndpointRules, does: ({ judge }) => judge }),
  ],
  exports: [...nouns.flatMap(({ exports }) => exports), ApiLibrary],
})
export class ApiInstancesModule {}
