import { Controller, type OnModuleInit } from '@nestjs/common';
import { logs, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, written } from '../platform/http';
import { idFor } from '../platform/sessions';
import { RunEngine } from '../runs';
import { LogAccess } from './log-access';
import { LogList } from './log-list';
import { LogPast } from './log-past';
import { saveLog } from './save-log.kind';

@Controller()
export class LogsController implements OnModuleInit {
  constructor(
    private readonly access: LogAccess,
    private readonly list: LogList,
    private readonly past: LogPast,
    private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    this.runs.register(saveLog(this.past));
  }

  @Answers(logs.sources)
  sources({ id }: InputOf<typeof logs.sources>, { session: { workspace } }: Asker) {
    return this.list.of(id, workspace);
  }

  @Answers(logs.past)
  read({ server, source, ...query }: InputOf<typeof logs.past>, { session: { workspace } }: Asker) {
    return this.past.read({ workspace, server: server.id, source }, query);
  }

  @Answers(logs.save)
  async save(
    { server: { id }, sources, runId: chosen, ...query }: InputOf<typeof logs.save>,
    { meta }: Asker,
  ) {
    const { workspace } = meta;
    const { alias } = await this.access.server({ workspace, server: id });
    for (const source of sources) await this.access.logOf({ workspace, server: id, source });
    const names = await Promise.all(sources.map((source) => this.list.nameOf(source, workspace)));
    const subject = { kind: 'server', id, name: alias };
    const input = { sources, names, ...query };
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.runs.start(runId, 'saveLog', { subject, input }, meta);
    return written({ runId }, position);
  }
}
