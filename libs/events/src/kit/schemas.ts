/** The schemas of a plain noun: what its events hold, what its calls accept. Not for the browser's first load. */
import { z } from 'zod';
import { defineEvent, type EventDefinition } from '../define-event';
import * as rules from '../rules';
import type { Field } from './field';
import { eventNames, isRevised, type PlainNoun } from './noun';

type Shape = Record<string, z.ZodType>;

const each = (noun: Pick<PlainNoun, 'fields'>, make: (field: Field<unknown>) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(noun.fields).map(([key, field]) => [key, make(field)]));

/** As it was recorded: rules for new input may become stricter, and old events stay readable. */
const stored = ({ kind }: Field<unknown>): z.ZodType =>
  kind === 'integer' ? z.int() : kind === 'flag' ? z.boolean() : z.string();

/** Of the fields in a view. */
export const storedFields = (noun: Pick<PlainNoun, 'fields'>): Shape => each(noun, stored);

const accepted = ({ kind, max, of = [], optional }: Field<unknown>): z.ZodType => {
  switch (kind) {
    case 'integer':
      return rules.integer(max);
    case 'flag':
      return rules.boolean;
    case 'choice':
      return rules.oneOf(of as readonly [string, ...string[]]);
    case 'text':
      return optional ? rules.optionalLine(max).default('') : rules.text(max);
    case 'paragraphs':
      return rules.optionalText(max).default('');
  }
};

/** The editable fields as calls and forms check them. */
export const fieldsInput = (noun: Pick<PlainNoun, 'fields'>) => rules.object(each(noun, accepted));

export const eventsOf = (noun: PlainNoun): Record<string, EventDefinition> => {
  const { category, named, within } = noun;
  const all = storedFields(noun);
  const { [named]: name = z.string(), ...others } = all;
  const is = eventNames(category);
  const byName = defineEvent(z.object({ [named]: name }));
  const changed = Object.fromEntries(Object.entries(others).map(([key, schema]) => [key, schema.optional()]));
  return {
    [is.added]: defineEvent(z.object({ ...all, ...(within === undefined ? {} : { [within]: z.string() }) })),
    [is.renamed]: byName,
    ...(isRevised(noun) ? { [is.revised]: defineEvent(z.object(changed)) } : {}),
    [is.removed]: byName,
    [is.restored]: byName,
  };
};
