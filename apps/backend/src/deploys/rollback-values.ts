/** The variables of a rollback: what the release kept, and what takes the place of values that were destroyed. */
import { Injectable } from '@nestjs/common';
import { environments, type EventData } from '@quarterdeck/events';
import type { DeployRow } from '@quarterdeck/projections';
import { DomainError, invalidField } from '../platform/errors';
import { VariableReader } from '../variables';
import { DeployVariables, type SavedVariable } from './deploy-variables';

/** `without`: variables that are left out. `today`: the others get the values that they have now. */
export interface Instead {
  today?: boolean | undefined;
  without?: readonly string[] | undefined;
}

interface Values {
  saved: SavedVariable[];
  lost: NonNullable<EventData<'ReleaseRequested'>['lost']>;
}

const list = (keys: readonly string[]): string => new Intl.ListFormat('en').format(keys);

@Injectable()
export class RollbackValues {
  constructor(
    private readonly variables: VariableReader,
    private readonly kept: DeployVariables,
  ) {}

  /** @throws DomainError that names what is missing: a rollback never lacks a variable that nobody chose to leave out */
  async of(to: DeployRow, { today = false, without = [] }: Instead, workspace: string): Promise<Values> {
    const missing = await this.kept.missing(to, workspace);
    const stranger = without.find((key) => !missing.includes(key));
    if (stranger !== undefined) {
      const isKept = to.variables.some(({ key }) => key === stranger);
      const reason = isKept ? `this deploy still keeps the value of ${stranger}` : `it has no ${stranger}`;
      throw invalidField('without', `${reason}: only variables whose values were destroyed can be left out`);
    }
    const wanted = missing.filter((key) => !without.includes(key));
    const now = wanted.length > 0 ? await this.variables.read(to.service.id, to.env.id, workspace) : [];
    this.refuseOpen(to, today, wanted, new Set(now.map(({ key }) => key)));
    const kept = to.variables.filter(({ key }) => !missing.includes(key));
    const values = await this.kept.values({ variables: kept }, workspace);
    return {
      saved: [
        ...kept.map(({ key, secret, fingerprint }, at) => ({
          key,
          secret,
          fingerprint,
          value: values[at]?.value ?? '',
        })),
        ...now.filter(({ key }) => wanted.includes(key)),
      ].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      lost: missing.map((key) => ({ key, instead: wanted.includes(key) ? 'today' : 'nothing' })),
    };
  }

  private refuseOpen(
    { env }: DeployRow,
    today: boolean,
    wanted: readonly string[],
    now: ReadonlySet<string>,
  ): void {
    if (wanted.length > 0 && !today) {
      const [values, were] = wanted.length === 1 ? ['value', 'was'] : ['values', 'were'];
      const [those, them] = wanted.length === 1 ? ['the one', 'it'] : ['those', 'them'];
      const reason = `the ${values} of ${list(wanted)} that this deploy kept ${were} destroyed: use ${those} of today, or go without ${them}`;
      throw new DomainError('conflict', reason);
    }
    const none = wanted.filter((key) => !now.has(key));
    if (none.length === 0) return;
    const [have, them] = none.length === 1 ? ['has no value', 'it'] : ['have no values', 'them'];
    const where = environments[env.id - 1] ?? env.id;
    throw new DomainError(
      'conflict',
      `${list(none)} ${have} in ${where} today: add ${them} first, or go without ${them}`,
    );
  }
}

/** What the run says of its variables. */
export const lostLines = (lost: Values['lost']): string[] =>
  lost.map(({ key, instead }) =>
    instead === 'today'
      ? `${key} has the value of today: the one that the earlier deploy kept was destroyed.\n`
      : `${key} is left out: the value that the earlier deploy kept was destroyed.\n`,
  );
