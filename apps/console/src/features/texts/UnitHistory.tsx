/** Who changed a text when, with what it said. Each former text can be restored. */
import { Box, Button, Group } from '@mantine/core';
import { texts } from '@quarterdeck/contract';
import type { TextUnitView, TextView } from '@quarterdeck/projections';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { By } from '../../records/actor';
import { ActionFailure } from '../../records/runs';
import { DataView } from '../../ui/DataView';
import { Title } from '../../ui/heading';
import { Lines } from '../../ui/List';
import look from '../../ui/look.module.css';
import { Dim, Note } from '../../ui/Note';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { idOf, written, type LanguageOf } from './text-words';

interface UnitHistoryProps {
  text: TextView;
  language: LanguageOf;
  unit: TextUnitView | undefined;
}

/** Of long contents the beginning says which one it is. */
const SHOWN = 300;

export const UnitHistory = ({ text, language, unit }: UnitHistoryProps) => {
  const { name } = language;
  const query = useAnswer(texts.historyOfUnit, { uuid: text.id, language: idOf(language.code) });
  const [restore] = useChange(texts.restoreUnit);
  const { act, busy, failure, dismiss } = useAction();
  const putBack = (revision: number) =>
    act({
      ask: {
        title: `Restore the ${name} text?`,
        body: 'Are you sure you would like to update the value?',
        confirmLabel: 'Restore',
      },
      send: () => restore({ uuid: text.id, language: idOf(language.code), revision }).unwrap(),
      done: `The ${name} text was restored.`,
      failed: `The ${name} text was not restored`,
    });
  return (
    <Box component="section" mt={12} aria-label={`History of ${name}`}>
      <Title least={4} mb={8} fz={13}>
        History of {name}
      </Title>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataView query={query} what={`The history of ${name}`}>
        {(formers) =>
          formers.length === 0 ? (
            <Note>There has been no {name} text.</Note>
          ) : (
            <Lines>
              {formers.map(({ revision, name: said, isReviewed, at, by }, place) => (
                <Box component="li" key={revision} p="8px 12px">
                  <Group gap={8} justify="space-between" align="start" wrap="nowrap">
                    <div className={look.text} {...(said !== undefined && written(language))}>
                      {said === undefined ? <Dim>removed</Dim> : said.slice(0, SHOWN)}
                      {said !== undefined && said.length > SHOWN && '…'}
                    </div>
                    {place > 0 && said !== undefined && said !== unit?.name && (
                      <DisabledInPast>
                        <Button
                          variant="default"
                          flex="none"
                          disabled={busy}
                          onClick={() => void putBack(revision)}
                        >
                          Restore
                        </Button>
                      </DisabledInPast>
                    )}
                  </Group>
                  <Group gap={8} fz={12} c="dimmed">
                    <span>
                      <By id={by} at={at} />
                    </span>
                    {isReviewed && <StateBadge state="reviewed" tone="good" />}
                  </Group>
                </Box>
              ))}
            </Lines>
          )
        }
      </DataView>
    </Box>
  );
};
