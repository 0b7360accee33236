/**
 * Raises an alert when a backup or a drill has failed, or is overdue, and resolves it once that is over.
 */
import { streamParts, type EventData, type RecordedEvent } from '@quarterdeck/events';
import { BACKUPS_ID } from '@quarterdeck/events/catalogue';
import type { AlertView } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import type { BackupWork, Trouble } from '../backups';
import { inView } from '../platform/in-view';
import { TOLD_OF_INSTALLATION, Watch, type WatchDeps } from './watch';

const alert = inView<AlertView>('view');

const NAMESPACE = '4a9e7c52-0c3b-4a0e-9d1f-5c8f2f1d7b60';
const SUBJECT = { kind: 'backup', id: BACKUPS_ID, name: 'backups' };

const REASONS: Record<Trouble['about'], string> = {
  backupFailed: 'a backup was taken',
  backupOverdue: 'a backup was taken, or the schedule was switched off',
  drillFailed: 'a drill has passed',
  archivesNotRemoved: 'the archives were removed, or are kept by the plan',
  drillOverdue: 'a drill has passed, or the schedule was switched off',
};

interface Open {
  id: string;
  workspace: string;
  about: EventData<'AlertRaised'>['about'];
}

export class BackupWatch extends Watch {
  /** Backups stay overdue for hours, so a minute of delay does not matter. */
  protected readonly everyMs = 60_000;
  /** A console that was down first takes its missed backup. */
  protected override readonly isDueAtStart = false;

  constructor(
    deps: WatchDeps,
    private readonly work: Pick<BackupWork, 'troubles'>,
  ) {
    super(deps);
  }

  override heard(events: readonly RecordedEvent[]): void {
    const isEnd = ({ stream, type }: RecordedEvent): boolean =>
      streamParts(stream).category === 'backup' && /(Taken|Passed|Failed|Configured|NotRemoved)$/.test(type);
    if (events.some(isEnd)) this.look();
  }

  protected async settle(): Promise<void> {
    const troubles = await this.work.troubles(new Date());
    const open = await this.deps.db.query<Open>(
      `select id, workspace, ${alert.text('about')} as about from read.alerts
       where state = 'open' and ${alert.text('subject', 'kind')} = $1`,
      [SUBJECT.kind],
    );
    for (const { id, workspace, about } of open.rows)
      if (!troubles.some((trouble) => trouble.about === about)) {
        const reason = REASONS[about as Trouble['about']];
        await this.resolve(id, reason, workspace);
      }
    if (troubles.length === 0) return;
    const { rows } = await this.deps.db.query<{ workspace: string }>(TOLD_OF_INSTALLATION);
    for (const { workspace } of rows)
      for (const { about, says, since } of troubles) {
        if (open.rows.some((one) => one.workspace === workspace && one.about === about)) continue;
        const id = uuidv5(`${workspace} ${about} ${since}`, NAMESPACE);
        const raised = { subject: SUBJECT, about, says };
        await this.raise(id, raised, workspace);
      }
  }
}
