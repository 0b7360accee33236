import { Controller, Inject } from '@nestjs/common';
import { fleet, type InputOf } from '@quarterdeck/contract';
import { DEFAULT_AT_ONCE, fleetStart } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { Answers, type Asker, written } from '../platform/http';
import { conflict, DomainError, invalidField, notFound } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';
import { scriptInput, ScriptLibrary } from '../scripts';
import { fleetDetail } from './fleet-detail';
import { fleetInput, fleetRequest, partId, workOf, type FleetInput, type FleetWork } from './fleet-request';
import { endsOfOutput, fleetRun, outputOf, partsOf, serversById } from './fleet.queries';

@Controller()
export class FleetController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly engine: RunEngine,
    private readonly scripts: ScriptLibrary,
  ) {}

  @Answers(fleet.start)
  async start(input: InputOf<typeof fleet.start>, { meta }: Asker) {
    const { servers: ids, concurrency = DEFAULT_AT_ONCE, runId = idFor('fleet', meta) } = input;
    const known = await serversById(this.db, meta.workspace, ids);
    const servers = ids.flatMap((id) => known.get(id) ?? []);
    if (servers.length < ids.length)
      throw invalidField('servers', `${ids.length - servers.length} of these servers could not be found`);
    return this.begin(runId, { ...(await this.workFor(input, meta)), servers, concurrency }, meta);
  }

  @Answers(fleet.detail)
  async detail({ id }: InputOf<typeof fleet.detail>, { session: { workspace } }: Asker) {
    const run = await this.run(id, workspace);
    const { servers } = fleetInput(run);
    const [parts, ends, output] = await Promise.all([
      partsOf(this.db, id, workspace),
      endsOfOutput(
        this.db,
        servers.map((server) => partId(id, server.id)),
      ),
      outputOf(this.db, id),
    ]);
    return fleetDetail(run, parts, ends, output);
  }

  @Answers(fleet.rerun)
  async rerun({ id, runId: chosen }: InputOf<typeof fleet.rerun>, { meta }: Asker) {
    const { workspace } = meta;
    const runId = chosen ?? idFor('fleet', meta);
    const run = await this.run(id, workspace);
    if (run.endedAt === undefined) throw conflict('this run has not ended yet', run);
    const input = fleetInput(run);
    const parts = await partsOf(this.db, id, workspace);
    const fine = new Set(
      parts.flatMap(({ state, subjectId }) =>
        state === 'succeeded' || state === 'cancelled' ? [subjectId] : [],
      ),
    );
    // Servers that were cancelled before their turn have no part, and did not fail either.
    const begun = new Set(parts.map(({ subjectId }) => subjectId));
    const wanted = input.servers.filter(
      ({ id: server }) => !fine.has(server) && (begun.has(server) || run.state !== 'cancelled'),
    );
    if (wanted.length === 0) throw conflict('it did not fail on any server', run);
    const known = await serversById(
      this.db,
      workspace,
      wanted.map((server) => server.id),
    );
    const servers = wanted.flatMap((server) => known.get(server.id) ?? []);
    if (servers.length === 0) throw new DomainError('conflict', 'none of these servers exists any more');
    const { concurrency } = input;
    return this.begin(runId, { ...workOf(input), servers, concurrency, rerunOf: id }, meta);
  }

  private async run(id: string, workspace: string) {
    const run = await fleetRun(this.db, workspace, id);
    if (!run) throw notFound('run');
    return run;
  }

  private async begin(run: string, input: FleetInput, meta: CommandMeta) {
    const { runId, position } = await this.engine.start(run, 'fleet', fleetRequest(run, input), meta);
    return written({ runId }, position);
  }

  private async workFor(
    { cmdType, script, version }: z.infer<typeof fleetStart>,
    { workspace }: CommandMeta,
  ): Promise<FleetWork> {
    if (cmdType !== undefined) return { cmdType };
    if (script === undefined) throw invalidField('cmdType', 'choose a command or a script');
    const saved = await this.scripts.script(script, workspace);
    const chosen = version ?? saved.version;
    if (chosen > saved.version) throw invalidField('version', 'the script does not have this version');
    const content = await this.scripts.version(script, chosen, workspace);
    return scriptInput({ script, version: chosen, name: saved.name }, content);
  }
}
