/** Fills the form from a pasted address. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { readDatabaseUrl } from './database-url';

export const JdbcUrl = ({ onRead }: { onRead: (values: Readonly<Record<string, unknown>>) => void }) => {
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string>();
  const read = (text: string): void => {
    setUrl(text);
    const found = text.trim() === '' ? undefined : readDatabaseUrl(text);
    setProblem(found && 'problem' in found ? found.problem : undefined);
    if (found && !('problem' in found)) onRead({ ...found });
  };
  return (
    <TextInput
      label="JDBC URL"
      description="Fills the form: jdbc:mysql://host:3306/name, or the URL that your provider shows. The password has to be typed."
      placeholder="jdbc:mysql://"
      autoComplete="off"
      spellCheck={false}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      mb="md"
      maw={640}
      value={url}
      error={problem}
      onChange={(event) => read(event.currentTarget.value)}
    />
  );
};
