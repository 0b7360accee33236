import { Controller } from '@nestjs/common';
import {
  workflowInstances as instanceCalls,
  workflows as calls,
  workflowStates as stateCalls,
  workflowVersions as versionCalls,
  type InputOf,
} from '@quarterdeck/contract';
import { DomainError } from '../platform/errors';
import { Answers, type Asker, done, written } from '../platform/http';
import { WorkflowConditions } from './conditions';
import { WorkflowCounts } from './workflow-counts';
import { WorkflowInstances } from './workflow-instances';
import { WorkflowLibrary } from './workflow-library';

@Controller()
export class WorkflowsController {
  constructor(
    private readonly library: WorkflowLibrary,
    private readonly instances: WorkflowInstances,
    private readonly conditions: WorkflowConditions,
    private readonly counted: WorkflowCounts,
  ) {}

  @Answers(calls.check)
  async check({ id }: InputOf<typeof calls.check>, { session: { workspace } }: Asker) {
    return { findings: await this.library.findings(id, workspace) };
  }

  @Answers(calls.judge)
  async judge({ when }: InputOf<typeof calls.judge>) {
    const [problem] = await this.conditions.judge([when]);
    return problem == null ? {} : { problem };
  }

  @Answers(calls.publish)
  async publish({ id: of }: InputOf<typeof calls.publish>, { meta }: Asker) {
    const { id, version, position } = await this.library.publish(of, meta);
    return written({ id, uuid: id, version }, position);
  }

  @Answers(calls.counts)
  async counts({ workflows }: InputOf<typeof calls.counts>, { session: { workspace } }: Asker) {
    return { workflows: await this.counted.of(workflows, workspace) };
  }

  @Answers(calls.waiting)
  waiting(_: InputOf<typeof calls.waiting>, { session }: Asker) {
    return this.instances.waiting(session);
  }

  @Answers(versionCalls.list)
  versions({ id }: InputOf<typeof versionCalls.list>, { session: { workspace } }: Asker) {
    return this.library.versions(id, workspace);
  }

  @Answers(versionCalls.detail)
  version({ id, version }: InputOf<typeof versionCalls.detail>, { session: { workspace } }: Asker) {
    return this.library.version(id, version, workspace);
  }

  @Answers(versionCalls.compare)
  async compare({ id, from, to }: InputOf<typeof versionCalls.compare>, { session: { workspace } }: Asker) {
    return { changes: await this.library.compare(id, from, to, workspace) };
  }

  @Answers(versionCalls.restore)
  async restore({ id, version }: InputOf<typeof versionCalls.restore>, { meta }: Asker) {
    return done({ id, position: await this.library.restore(id, version, meta) });
  }

  @Answers(stateCalls.list)
  states({ id }: InputOf<typeof stateCalls.list>, { session: { workspace } }: Asker) {
    return this.instances.states(id, workspace);
  }

  @Answers(stateCalls.detail)
  state({ id }: InputOf<typeof stateCalls.detail>, { session: { workspace } }: Asker) {
    return this.instances.state(id, workspace);
  }

  @Answers(stateCalls.insert)
  insertState(): never {
    throw new DomainError(
      'unprocessable',
      'an instance enters its states itself: start an instance, or answer it',
    );
  }

  @Answers(stateCalls.update)
  async updateState({ id, data, revision }: InputOf<typeof stateCalls.update>, { meta }: Asker) {
    return done(await this.instances.reviseState(id, data, meta, revision));
  }

  @Answers(stateCalls.delete)
  async deleteState(
    { id }: InputOf<typeof stateCalls.delete>,
    { session: { workspace } }: Asker,
  ): Promise<never> {
    await this.instances.state(id, workspace);
    throw new DomainError('unprocessable', 'what an instance did never changes: delete the instance');
  }

  @Answers(instanceCalls.list)
  list({ id }: InputOf<typeof instanceCalls.list>, { session: { workspace } }: Asker) {
    return this.instances.list(id, workspace);
  }

  @Answers(instanceCalls.page)
  page(asked: InputOf<typeof instanceCalls.page>, { session: { workspace } }: Asker) {
    return this.instances.page(asked, workspace);
  }

  @Answers(instanceCalls.detail)
  detail({ id }: InputOf<typeof instanceCalls.detail>, { session: { workspace } }: Asker) {
    return this.instances.detail(id, workspace);
  }

  @Answers(instanceCalls.insert)
  async insert({ workflow, version, data }: InputOf<typeof instanceCalls.insert>, { meta }: Asker) {
    const asked = { workflow: workflow.id, version, data, cause: { is: 'person' as const } };
    return done(await this.instances.start(asked, meta));
  }

  @Answers(instanceCalls.update)
  async update({ id, data, revision }: InputOf<typeof instanceCalls.update>, { meta }: Asker) {
    return done(await this.instances.revise(id, data, meta, revision));
  }

  @Answers(instanceCalls.delete)
  async delete({ id }: InputOf<typeof instanceCalls.delete>, { meta }: Asker) {
    return done(await this.instances.remove(id, meta));
  }

  @Answers(instanceCalls.answer)
  async answer(input: InputOf<typeof instanceCalls.answer>, { session, meta }: Asker) {
    return done(await this.instances.answer(input, session, meta));
  }

  @Answers(instanceCalls.retry)
  async retry({ id, visit }: InputOf<typeof instanceCalls.retry>, { meta }: Asker) {
    return done(await this.instances.retry(id, visit, meta));
  }

  @Answers(instanceCalls.skip)
  async skip(input: InputOf<typeof instanceCalls.skip>, { session, meta }: Asker) {
    return done(await this.instances.skip(input, session, meta));
  }

  @Answers(instanceCalls.cancel)
  async cancel({ id }: InputOf<typeof instanceCalls.cancel>, { meta }: Asker) {
    return done(await this.instances.cancel(id, meta));
  }

  @Answers(instanceCalls.fork)
  async fork(input: InputOf<typeof instanceCalls.fork>, { meta }: Asker) {
    return done(await this.instances.fork(input, meta));
  }
}
