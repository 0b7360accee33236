/** A rule as one sentence, with the present names of what it is about. */
import { callsOf } from '@quarterdeck/contract';
import { alertChannel } from '@quarterdeck/events';
import type { RuleFields } from '@quarterdeck/projections';
import { Fragment } from 'react';
import { domainChoices, productChoices, serverChoices } from '../../records/choices';
import { weeklyInWords } from '../../records/weekly-words';
import { ChosenName, choicesOf, type Choices } from '../../ui/choice';
import { causesInWords, tellsInWords } from './rule-words';

const channelChoices = choicesOf({
  page: callsOf(alertChannel).page,
  detail: callsOf(alertChannel).detail,
  sort: 'name',
  labelOf: ({ name }: { id: string; name: string }) => name,
  one: 'channel',
});

const things: readonly [keyof RuleFields, Choices][] = [
  ['servers', serverChoices],
  ['sites', domainChoices],
  ['products', productChoices],
];

interface Named {
  from: Choices;
  id: string;
}

/** `web-1, web-2 or shop.example.org` */
const Names = ({ all, last }: { all: readonly Named[]; last: string }) => (
  <>
    {all.map(({ from, id }, at) => (
      <Fragment key={id}>
        {at > 0 && (at === all.length - 1 ? ` ${last} ` : ', ')}
        <b>
          <ChosenName from={from} id={id} />
        </b>
      </Fragment>
    ))}
  </>
);

const namedBy = (from: Choices, ids: readonly string[]): Named[] => ids.map((id) => ({ from, id }));

/** The servers, sites and products of a rule. */
const Where = ({ rule }: { rule: RuleFields }) => {
  const all = things.flatMap(([key, from]) => namedBy(from, rule[key] as readonly string[]));
  if (all.length === 0) return null;
  return (
    <>
      {' '}
      about <Names all={all} last="or" />
    </>
  );
};

export const Channels = ({ channels }: Pick<RuleFields, 'channels'>) =>
  channels.length === 0 ? 'all channels' : <Names all={namedBy(channelChoices, channels)} last="and" />;

export const NamesOf = ({
  of,
  ids,
  none = 'all',
}: {
  of: 'servers' | 'sites' | 'products';
  ids: readonly string[];
  none?: string;
}) => {
  const [, from] = things.find(([key]) => key === of) ?? [];
  return ids.length === 0 || !from ? none : <Names all={namedBy(from, ids)} last="and" />;
};

export const RuleSentence = ({ rule }: { rule: RuleFields }) => (
  <>
    {causesInWords(rule)}
    <Where rule={rule} /> is sent to <Channels channels={rule.channels} /> {tellsInWords(rule)}
    {rule.repeatHours > 0 && ' while it lasts'}.
    {rule.quietHours && ` What is not critical waits ${weeklyInWords(rule.quietHours)}.`}
  </>
);
