import { Module } from '@nestjs/common';
import {
  request,
  requestCollection,
  requestParam,
  requestSecret,
  requestVariable,
} from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { RunsModule } from '../runs';
import { workflowActions } from '../workflows';
import { AnswerStore } from './answer-store';
import { RequestAction } from './request-action';
import { RequestCollections } from './request-collections';
import { RequestImports } from './request-imports';
import { RequestLibrary } from './request-library';
import { RequestPast } from './request-past';
import { judgedChecks, RequestNames } from './request-rules';
import { RequestWork } from './request-work';
import { RequestsController } from './requests.controller';

const nouns = [
  plain(request),
  plain(requestCollection),
  plain(requestParam),
  plain(requestVariable),
  plain(requestSecret),
];

@Module({
  imports: [RunsModule],
  controllers: [...nouns.flatMap(({ controllers }) => controllers), RequestsController],
  providers: [
    ...nouns.flatMap(({ providers }) => providers),
    AnswerStore,
    RequestAction,
    RequestCollections,
    RequestImports,
    RequestLibrary,
    RequestNames,
    RequestPast,
    RequestWork,
    hook({ on: judgedFields(request), by: RequestNames, does: () => judgedChecks }),
    hook({ on: workflowActions, by: RequestAction, does: (action) => action }),
    ...[requestVariable, requestSecret].map((noun) =>
      hook({ on: judgedFields(noun), by: RequestNames, does: (names) => names.judge(noun) }),
    ),
  ],
  exports: nouns.flatMap(({ exports }) => exports),
})
export class RequestsModule {}
