/** Rules and windows of maintenance are about things that exist. What was removed later may stay: the rest still counts. */
import { Inject, Injectable } from '@nestjs/common';
import { alertRule, maintenanceWindow, nounOf, type PlainNoun } from '@quarterdeck/events';
import { tableOf } from '@quarterdeck/projections';
import { invalidField } from '../platform/errors';
import type { JudgeFields } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';

const idsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);

@Injectable()
export class ChosenChecks {
  readonly rule = this.judgeOf(alertRule);
  readonly window = this.judgeOf(maintenanceWindow);

  constructor(@Inject(DB) private readonly db: Pool) {}

  private judgeOf({ fields }: Pick<PlainNoun, 'fields'>): JudgeFields {
    const chosen = Object.entries(fields).flatMap(([key, { to }]) => (to === undefined ? [] : [{ key, to }]));
    return async (after, before, workspace) => {
      for (const { key, to } of chosen) {
        const kept = new Set(idsIn(before?.[key]));
        const added = new Set(idsIn(after[key]).filter((id) => !kept.has(id)));
        const rows = nounOf(to)?.rows;
        if (added.size === 0 || rows === undefined) continue;
        const found = await this.db.query<{ id: string }>(
          `select id from read.${tableOf({ rows })} where workspace = $1 and id = any($2)`,
          [workspace, [...added]],
        );
        if (found.rows.length < added.size) throw invalidField(key, `one of these ${key} could not be found`);
      }
    };
  }
}
