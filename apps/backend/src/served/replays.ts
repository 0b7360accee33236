/** Replays sampled requests against an endpoint as somebody is about to change it. */
import { Injectable } from '@nestjs/common';
import { isWriting } from '@quarterdeck/api';
import type { ApiReplay, InputOf, apiInstances } from '@quarterdeck/contract';
import { ApiLibrary, endpointOf, endpointProblems } from '../api-instances';
import { invalidField, notFound } from '../platform/errors';
import { ApiSources } from './api-sources';
import { verdictOn } from './replay-verdict';
import { ServedApis } from './served-apis';
import { orUnavailable } from './unavailable';

type ReplayInput = InputOf<typeof apiInstances.replay>;

@Injectable()
export class Replays {
  constructor(
    private readonly apis: ServedApis,
    private readonly sources: ApiSources,
    private readonly library: ApiLibrary,
  ) {}

  /**
   * Changes nothing, and records nothing.
   *
   * @throws DomainError `unavailable` if the API cannot answer at the moment
   */
  async replay(
    { instance: { uuid }, endpoint: { uuid: id }, data }: ReplayInput,
    workspace: string,
  ): Promise<ApiReplay> {
    const { id: instance } = await this.library.instance(uuid, workspace);
    const [problem] = endpointProblems({ ...data }, await this.library.apiModel(instance, workspace));
    if (problem) throw invalidField(`data.${problem.field}`, problem.says);
    const description = await this.sources.of(instance, workspace).describe();
    const present = description.endpoints.find((one) => one.id === id);
    if (!present) throw notFound('endpoint');
    const changed = endpointOf(data);
    if ([present.endpoint, changed].some(({ blocks }) => blocks.some(isWriting)))
      return nothing('This endpoint writes. Requests to it are neither kept nor replayed.');
    if (present.endpoint.method !== 'GET') return nothing('Only requests with GET are kept and replayed.');
    const samples = this.apis.trafficOf(instance).samples.of(id);
    if (samples.length === 0) return nothing('No request to this endpoint is kept at the moment.');
    const api = await this.apis.of(instance);
    const replayed = await orUnavailable(
      api.replay({ description: { ...description, endpoints: [present] }, changed, samples }),
    );
    if ('problem' in replayed) throw invalidField('data.blocks', replayed.problem);
    return verdictOn(replayed.requests, replayed.left);
  }
}

const nothing = (message: string): ApiReplay => ({ verdict: 'unproven', message, requests: [] });
