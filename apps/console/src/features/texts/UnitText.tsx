/** A text as it is. Of a content, its Markdown as a product shows it, once it is opened. */
import { Box, Button, SegmentedControl } from '@mantine/core';
import type { TextUnitView } from '@quarterdeck/projections';
import { useState } from 'react';
import { LineDiff } from '../../ui/line-diff';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { written, type LanguageOf } from './text-words';
import { MarkdownPreview } from './UnitForm';

interface UnitTextProps {
  unit: TextUnitView;
  language: LanguageOf;
  english: string | undefined;
  isCms: boolean;
}

export const UnitText = ({ unit, language, english, isCms }: UnitTextProps) => (
  <>
    {isCms ? (
      <Content unit={unit} language={language} />
    ) : (
      <div className={look.text} {...written(language)}>
        {unit.name}
      </div>
    )}
    {unit.of !== undefined && english !== undefined && <Outdated of={unit.of} english={english} />}
  </>
);

const Content = ({ unit, language }: Pick<UnitTextProps, 'unit' | 'language'>) => {
  const [shown, show] = useState(language.code === 'en' ? 'preview' : 'first');
  const { name } = language;
  return (
    <>
      <SegmentedControl
        aria-label={`How ${name} is shown`}
        size="xs"
        mb={8}
        value={shown}
        onChange={show}
        data={[
          { value: 'first', label: 'First line' },
          { value: 'preview', label: 'Preview' },
          { value: 'source', label: 'Markdown' },
        ]}
      />
      {shown === 'first' && (
        <div className={look.cut} {...written(language)}>
          {unit.name.split('\n', 1)[0]}
        </div>
      )}
      {shown === 'preview' && (
        <MarkdownPreview text={unit.name} label={`Preview in ${name}`} {...written(language)} />
      )}
      {shown === 'source' && (
        <Box component="pre" m={0} className={`${look.text} ${look.mono}`} {...written(language)}>
          {unit.name}
        </Box>
      )}
    </>
  );
};

const Outdated = ({ of, english }: { of: string; english: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box mt={4}>
      <Note fz={12} component="p">
        The English text has changed since.{' '}
        <Button
          variant="subtle"
          size="compact-xs"
          px={4}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide what changed' : 'What changed'}
        </Button>
      </Note>
      {isOpen && <LineDiff before={of} after={english} label="The English text: from then to now" />}
    </Box>
  );
};
