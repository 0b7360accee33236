/** Rules of triggers that need more than the fields themselves. */
import { Injectable } from '@nestjs/common';
import { isEventType } from '@quarterdeck/events/catalogue';
import { isSchedule } from '../platform/cron-occurrences';
import { invalidField } from '../platform/errors';
import { placed, refusedConditions, type ExpressionScope } from '../platform/expressions';
import type { JudgeFields } from '../platform/kit';
import type { TriggerFields } from './trigger-view';

/** What the filter of a trigger may read: `event.type`, `event.id`, `event.at`, `event.actor`, `event.subject`, `event.data`. */
export const eventScope: ExpressionScope = { variables: { event: 'json' }, maxBytes: 64 * 1024 };

@Injectable()
export class TriggerRules {
  readonly judge: JudgeFields = async (after, before) => {
    const { starts, schedule, event, filter } = after as unknown as TriggerFields;
    const was = before as unknown as TriggerFields | undefined;
    if (starts === 'schedule' && !isSchedule(schedule))
      throw invalidField(
        'schedule',
        'a schedule of five fields as in crontab is expected, such as 0 6 * * 1-5',
      );
    if (starts !== 'event') return;
    if (!isEventType(event))
      throw invalidField(
        'event',
        'the type of an event is expected, as the history shows it, such as AlertRaised or RunFailed',
      );
    if (filter.trim() === '' || filter === was?.filter) return;
    const [refusal] = await refusedConditions(eventScope, [filter]);
    if (refusal) throw invalidField('filter', placed(refusal));
  };
}
