/** The form fields of a plain noun, with the choices for its references. */
import { texts } from '@quarterdeck/contract';
import {
  database,
  environments,
  fieldsOfKind,
  inWords,
  namedBy,
  plainNounOf,
  type PlainNoun,
} from '@quarterdeck/events';
import { useMemo } from 'react';
import { choicesOf, type Choices } from '../../../ui/choice';
import type { Field } from '../../../ui/ResourceForm';
import { domainChoices, memberChoices } from '../../choices';
import { listCallsOf, type Row } from '../any-calls';
import { inParent, type Parents, type Values } from '../record-fields';
import { formFieldsOf } from './form-fields';

/** @param place the parents as JSON, because equal parents may come as different objects */
const choicesTo = (category: string, place: string | undefined): Choices => {
  const parents = place === undefined ? undefined : (JSON.parse(place) as Parents);
  if (category === 'text') return cmsTexts(parents);
  // Its name is not called like the column of its list.
  if (category === 'domain') return domainChoices;
  if (category === 'person') return memberChoices;
  const target = plainNounOf(category);
  const named = namedBy(category) ?? 'name';
  return choicesOf({
    ...listCallsOf(category, target),
    sort: named,
    within: target && inParent(target, parents),
    labelOf: (row: Row) => `${String(row[named])}${environmentOf(category, row)}`,
    one: inWords(category),
  });
};

/** The databases of dev, test and prod often have the same name. */
const environmentOf = (category: string, { env }: Row): string =>
  category === database.category ? ` (${environments[(env as { id: number }).id - 1]})` : '';

const cmsTexts = (parents: Parents | undefined): Choices =>
  choicesOf({
    page: texts.page,
    detail: texts.detail,
    by: 'uuid',
    sort: 'key',
    within: { ...inParent({ within: 'product' }, parents), isCms: true },
    labelOf: ({ key }: { id: string; key: string }) => key,
    one: 'CMS text',
  });

/** @param stored the record being edited; absent when adding */
export const useFormFields = (
  noun: Pick<PlainNoun, 'fields'>,
  parents?: Parents,
  stored?: Values,
): readonly Field[] => {
  const kept = JSON.stringify(keptIn(noun, stored));
  const place = JSON.stringify(parents);
  return useMemo(() => {
    const references = Object.entries(noun.fields).flatMap(([name, { to }]) =>
      to === undefined ? [] : [[name, choicesTo(to, place)] as const],
    );
    return formFieldsOf(noun, Object.fromEntries(references), JSON.parse(kept) as string[]);
  }, [noun, place, kept]);
};

/** The secrets that it has. */
const keptIn = ({ fields }: Pick<PlainNoun, 'fields'>, stored: Values = {}): readonly string[] =>
  fieldsOfKind(fields, 'secret').flatMap(([name]) => (stored[name] ? [name] : []));
