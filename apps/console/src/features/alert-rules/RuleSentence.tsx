/** A rule as one sentence, with the present names of what it is about. */
import { callsOf } from '@quarterdeck/contract';
import { alertChannel } from '@quarterdeck/events';
import type { RuleFields } from '@quarterdeck/projections';
import { chosenThings, namedBy, Names } from '../../records/chosen-names';
import { weeklyInWords } from '../../records/weekly-words';
import { choicesOf } from '../../ui/choice';
import { causesInWords, tellsInWords } from './rule-words';

const channelChoices = choicesOf({
  page: callsOf(alertChannel).page,
  detail: callsOf(alertChannel).detail,
  sort: 'name',
  labelOf: ({ name }: { id: string; name: string }) => name,
  one: 'channel',
});

/** The servers, sites and products of a rule. */
const Where = ({ rule }: { rule: RuleFields }) => {
  const all = (['servers', 'sites', 'products'] as const).flatMap((key) =>
    namedBy(chosenThings[key], rule[key]),
  );
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

export const RuleSentence = ({ rule }: { rule: RuleFields }) => (
  <>
    {causesInWords(rule)}
    <Where rule={rule} /> is sent to <Channels channels={rule.channels} /> {tellsInWords(rule)}
    {rule.repeatHours > 0 && ' while it lasts'}.
    {rule.quietHours && ` What is not critical waits ${weeklyInWords(rule.quietHours)}.`}
  </>
);
