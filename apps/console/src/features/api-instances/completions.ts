/** Names that may be meant where somebody types JSON: of the model, of the request and of the language. Pure. */
import {
  OPERATORS,
  parametersOf,
  pointingAt,
  shownOf,
  SOURCES,
  type ApiEntity,
  type ApiModel,
} from '@quarterdeck/api';
import { jsonIn } from '../../ui/form/json-text';
import type { EndpointDraft, JsonKey } from './endpoint-draft';

const WORDS = ['and', 'or', 'not', 'some', 'none', 'every'];

/** Values of the request, and results of the blocks before this one. */
const placesOf = (draft: EndpointDraft, at: number): string[] => {
  const body = jsonIn(draft.bodyShape);
  const inBody = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  const before = draft.blocks.slice(0, at).map(({ name }, index) => (name === '' ? String(index) : name));
  return [
    ...parametersOf(draft.path).map((name) => `params.${name}`),
    ...inBody.map((name) => `body.${name}`),
    ...before.map((name) => `chain.${name}`),
    ...SOURCES.map((source) => `${source}.`),
  ];
};

const attributesOf = (entity: ApiEntity | undefined): string[] =>
  entity ? shownOf(entity).map(({ name }) => name) : [];

/** Names of an entity and of those that it points to. */
const relatedTo = (model: ApiModel, entity: ApiEntity | undefined): string[] => {
  const targets = entity ? shownOf(entity).flatMap(({ to }) => (to === undefined ? [] : [to])) : [];
  const around = targets.flatMap((name) => attributesOf(model.entities.get(name)));
  return [...attributesOf(entity), ...(entity ? pointingAt(model, entity) : []), ...around];
};

export const namesFor = (
  part: JsonKey | 'chainBlockMap' | 'routeChainMap',
  model: ApiModel | undefined,
  draft: EndpointDraft,
  at = 0,
): readonly string[] => {
  const entity = model?.entities.get(draft.blocks[at]?.entity ?? '');
  const places = placesOf(draft, at);
  const related = model ? relatedTo(model, entity) : [];
  const names: Record<typeof part, readonly string[]> = {
    filters: [...related, ...OPERATORS, ...WORDS, ...places, '$', '$now'],
    data: [
      ...(entity
        ? [...entity.attributes.values()].filter(({ writable }) => writable).map(({ name }) => name)
        : []),
      ...places,
      '$',
      'default',
      '$now',
    ],
    each: ['$', ...places],
    projection: attributesOf(entity),
    references: [...related, 'from', 'projection', 'filters', 'order', 'take', 'references'],
    order: ['by', 'desc', ...attributesOf(entity)],
    skip: ['$', 'default', ...places],
    take: ['$', 'default', ...places],
    chainBlockMap: ['$', 'default', ...places],
    routeChainMap: ['$', 'default', ...places],
  };
  return [...new Set(names[part])];
};

export interface Completion {
  /** The word that is being typed. */
  from: number;
  names: readonly string[];
  /** The caret is within quotes, so a name needs none. */
  isQuoted: boolean;
}

const SHOWN = 8;

/** @returns no names where nothing has been typed that a name could begin with */
export const completionAt = (text: string, caret: number, names: readonly string[]): Completion => {
  const before = text.slice(0, caret);
  const word = /[\w$.]*$/.exec(before)?.[0] ?? '';
  const from = caret - word.length;
  const isQuoted = (before.replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
  const isOpen = word !== '' || before.endsWith('"');
  const fits = (name: string): boolean => name !== word && name.toLowerCase().startsWith(word.toLowerCase());
  return {
    from,
    isQuoted,
    names: isOpen && (isQuoted || word !== '') ? names.filter(fits).slice(0, SHOWN) : [],
  };
};

/** The text with a name in place of the word at the caret, and where the caret is then. */
export const completed = (
  text: string,
  caret: number,
  { from, isQuoted }: Completion,
  name: string,
): { text: string; caret: number } => {
  const written = isQuoted ? name : `"${name}"`;
  return { text: text.slice(0, from) + written + text.slice(caret), caret: from + written.length };
};
