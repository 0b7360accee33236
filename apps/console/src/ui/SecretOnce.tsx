/** A new secret, which is shown only now. */
import { Alert, Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from './CopyText';
import look from './look.module.css';

interface SecretOnceProps {
  /** "A token for prod" */
  what: string;
  value: string;
  /** What it is for. */
  children: ReactNode;
  /** How it is sent. */
  example: string;
}

export const SecretOnce = ({ what, value, children, example }: SecretOnceProps) => (
  <Alert
    role="status"
    color="yellow"
    variant="light"
    mb="md"
    title={`${what}: copy it now; it won’t be shown again`}
  >
    <Box component="p" className={look.wrap} m="0 0 8px">
      <CopyText value={value} />
    </Box>
    <p>{children}</p>
    <Box component="pre" className={look.text} m={0} fz={12}>
      {example}
    </Box>
  </Alert>
);
