/** The five fields of a cron expression, as in crontab: their values, and where a mistake is. Pure. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface FieldRule {
  name: string;
  min: number;
  max: number;
  /** Names of values, from `min` on. */
  names?: readonly string[];
}

const RULES = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'weekday', min: 0, max: 7, names: DAYS },
] as const satisfies readonly FieldRule[];

export interface CronField {
  /** As it is written. */
  text: string;
  /** In order, each once. Weekdays are 0, Sunday, to 6. */
  values: readonly number[];
  /** It begins with `*`: `*` or `*` with a step. */
  isOpen: boolean;
}

export interface CronFields {
  minute: CronField;
  hour: CronField;
  day: CronField;
  month: CronField;
  weekday: CronField;
}

/** What is wrong: a sentence with the field and the place of the character, which is counted from 1. */
export class CronProblem extends Error {}

const EXPECTED =
  'five fields are expected: minute, hour, day, month and weekday, such as 0 6 * * 1-5 for 06:00 from Monday to Friday';

const valueOf = (text: string, { min, names = [] }: FieldRule): number => {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + min;
  return /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
};

const itemOf = (text: string, rule: FieldRule, fail: (says: string) => never): number[] => {
  const { min, max } = rule;
  const found = /^(\*|([^-/]+)(?:-([^-/]+))?)(?:\/(.+))?$/.exec(text);
  if (!found) return fail('a number, a range such as 1-5, or * is expected');
  const [, span, first, last, step] = found;
  const [from, to] =
    span === '*' ? [min, max] : [valueOf(first ?? '', rule), valueOf(last ?? first ?? '', rule)];
  for (const one of [from, to])
    if (!(one >= min && one <= max))
      fail(
        `${rule.names ? `a name such as ${rule.names[1]}, or a number` : 'a number'} from ${min} to ${max} is expected`,
      );
  if (from > to) fail(`the range goes backwards: write ${last}-${first}, or two ranges with a comma`);
  if (step === undefined) return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const by = /^\d{1,4}$/.test(step) ? Number(step) : 0;
  if (by < 1 || by > max) fail(`after / a step from 1 to ${max} is expected`);
  if (span !== '*' && last === undefined)
    fail(`a step needs a range, such as ${first}-${max}/${step} or */${step}`);
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by);
};

const fieldOf = (text: string, at: number, rule: FieldRule): CronField => {
  let place = at;
  const values = text.split(',').flatMap((item) => {
    const here = place;
    place += item.length + 1;
    return itemOf(item, rule, (says) => {
      throw new CronProblem(`the ${rule.name} ${JSON.stringify(item)} at character ${here + 1}: ${says}`);
    });
  });
  const each = rule.name === 'weekday' ? values.map((day) => day % 7) : values;
  return {
    text,
    values: [...new Set(each)].sort((one, other) => one - other),
    isOpen: text.startsWith('*'),
  };
};

/** @throws CronProblem */
export const cronFieldsOf = (expression: string): CronFields => {
  const words = [...expression.matchAll(/\S+/g)];
  if (words.length !== RULES.length)
    throw new CronProblem(
      `${words.length === 1 ? '1 field was' : `${words.length} fields were`} given: ${EXPECTED}`,
    );
  const [minute, hour, day, month, weekday] = RULES.map((rule, at) =>
    fieldOf(words[at]?.[0] ?? '', words[at]?.index ?? 0, rule),
  ) as [CronField, CronField, CronField, CronField, CronField];
  return { minute, hour, day, month, weekday };
};
