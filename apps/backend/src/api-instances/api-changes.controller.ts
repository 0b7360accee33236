/** What callers of a generated API notice of the changes between two instants. */
import { setImmediate as turn } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import { apiModelOf, changesBetween, type Definition, type UnservedEndpoint } from '@quarterdeck/api';
import { apiInstances as calls, type InputOf } from '@quarterdeck/contract';
import { askedInstant, Instants, type Instant } from '../platform/as-of';
import { DomainError } from '../platform/errors';
import { Answers, type Asker } from '../platform/http';
import { ApiLibrary } from './api-library';
import { endpointOf, endpointProblems } from './endpoint-problems';

const MAX_CHANGES = 1000;
/** Endpoints that are judged before other calls get their turn. */
const AT_ONCE = 50;
const NOTHING: Definition = {
  endpoints: [],
  model: apiModelOf({ entities: [], optionSets: [] }, 'postgresql'),
};

@Controller()
export class ApiChangesController {
  constructor(
    private readonly library: ApiLibrary,
    private readonly instants: Instants,
  ) {}

  @Answers(calls.changes)
  async changes(
    { instance: { uuid }, from, to }: InputOf<typeof calls.changes>,
    { session: { workspace } }: Asker,
  ) {
    const { id } = await this.library.instance(uuid, workspace);
    const [earlier, later] = await this.instants.ends({ from, to }, workspace);
    const found = changesBetween(
      await askedInstant.run(earlier, () => this.definition(id, workspace)),
      await askedInstant.run(later, () => this.definition(id, workspace)),
    ).toSorted((one, other) => Number(other.isBreaking) - Number(one.isBreaking));
    const changes = found.slice(0, MAX_CHANGES);
    return {
      from: placeOf(earlier),
      to: placeOf(later),
      changes: changes.map((one) => ({ ...one })),
      more: found.length - changes.length,
    };
  }

  /** Nothing, if there was no such instance at the instant. */
  private async definition(id: string, workspace: string): Promise<Definition> {
    try {
      await this.library.instance(id, workspace);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'notFound') return NOTHING;
      throw error;
    }
    const [views, model] = await Promise.all([
      this.library.endpoints(id, workspace),
      this.library.apiModel(id, workspace),
    ]);
    const served: Definition['endpoints'][number][] = [];
    const unserved: UnservedEndpoint[] = [];
    for (const [at, view] of views.entries()) {
      const one = endpointOf(view);
      const [problem] = endpointProblems({ ...view }, model);
      if (problem)
        unserved.push({ method: one.method, path: one.path, reason: `${problem.field}: ${problem.says}` });
      else served.push(one);
      if (at % AT_ONCE === AT_ONCE - 1) await turn();
    }
    return { endpoints: served, unserved, model };
  }
}

const placeOf = ({ position, at }: Instant) => ({ position, at });
