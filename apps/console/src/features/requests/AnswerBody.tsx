/** The body of an answer, as a tree, as text, as a picture or byte by byte. */
import { Group, SegmentedControl } from '@mantine/core';
import type { RequestAnswer } from '@quarterdeck/contract';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { CopyText } from '../../ui/CopyText';
import { Note, TextBlock } from '../../ui/Note';
import { bytesOf, formsOf, hexOf, textIn, typeIn, type BodyForm } from './body-forms';
import { JsonTree } from './JsonTree';
import classes from './requests.module.css';

const labels: Record<BodyForm, string> = { json: 'JSON', text: 'Text', image: 'Image', hex: 'Hex' };

export const AnswerBody = ({ answer: { body, headers, size, run, sha256 } }: { answer: RequestAnswer }) => {
  const bytes = useMemo(() => bytesOf(body ?? ''), [body]);
  const type = typeIn(headers);
  const forms = useMemo(() => formsOf(bytes, type), [bytes, type]);
  const [chosen, choose] = useState<BodyForm>();
  if (body === undefined)
    return (
      <Section title="Body" mt={24}>
        <Note>
          The body of {size} bytes was removed, because this workspace keeps output for a limited time. Its
          hash stays.
        </Note>
        <Hash sha256={sha256} />
      </Section>
    );
  if (bytes.length === 0)
    return (
      <Section title="Body" mt={24}>
        <Note>The body is empty.</Note>
      </Section>
    );
  const form = chosen ?? forms[0] ?? 'hex';
  const save = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = `answer-${run}`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const actions = (
    <Group gap={8}>
      <SegmentedControl
        size="xs"
        aria-label="Show body as"
        value={form}
        onChange={(value) => choose(value as BodyForm)}
        data={forms.map((value) => ({ value, label: labels[value] }))}
      />
      <Action icon={IconDownload} variant="default" size="xs" does={save}>
        Download
      </Action>
    </Group>
  );
  return (
    <Section title="Body" mt={24} actions={actions}>
      <Shown key={run} form={form} bytes={bytes} type={type} base64={body} />
      <Hash sha256={sha256} />
    </Section>
  );
};

const Hash = ({ sha256 }: { sha256: string }) => (
  <Note below fz={12}>
    SHA-256 <CopyText value={sha256} />
  </Note>
);

interface ShownProps {
  form: BodyForm;
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  base64: string;
}

const Shown = ({ form, bytes, type, base64 }: ShownProps) => {
  if (form === 'json') return <JsonTree bytes={bytes} />;
  if (form === 'image')
    return (
      <img className={classes.picture} src={`data:${type};base64,${base64}`} alt="The body of the answer" />
    );
  const { text, isCut } = form === 'text' ? textIn(bytes) : hexOf(bytes);
  return (
    <>
      <TextBlock mah="60vh" aria-label={`Body as ${labels[form].toLowerCase()}`}>
        {text}
      </TextBlock>
      {isCut && <Note below>Only the beginning is shown. Download the body to see all of it.</Note>}
    </>
  );
};
