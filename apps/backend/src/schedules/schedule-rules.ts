/** Rules of schedules that need more than the fields themselves. */
import { Injectable } from '@nestjs/common';
import { refusedZone } from '@quarterdeck/events';
import { CronProblem, zonedOccurrences, type Occurrences } from '../platform/cron';
import { invalidField } from '../platform/errors';
import type { JudgeFields } from '../platform/kit';
import type { Schedule } from './schedule-view';

/** @throws DomainError that names the field */
export const judgedTimes = (times: string, zone: string): Occurrences => {
  const refused = zone === '' ? undefined : refusedZone(zone);
  if (refused !== undefined) throw invalidField('zone', refused);
  try {
    return zonedOccurrences(times, zone);
  } catch (error) {
    if (error instanceof CronProblem) throw invalidField('times', error.message);
    throw error;
  }
};

@Injectable()
export class ScheduleRules {
  readonly judge: JudgeFields = (after) => {
    const { times, zone } = after as unknown as Schedule;
    judgedTimes(times, zone);
    return Promise.resolve();
  };
}
