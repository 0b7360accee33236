/** Parts of a page: with a frame (`Card`) or without (`Section`), each with a heading and what can be done there. */
import { Box, Flex, type BoxProps } from '@mantine/core';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { Title } from './heading';
import look from './look.module.css';

interface HeadProps extends BoxProps {
  title: ReactNode;
  /** Id of the heading. */
  headingId?: string;
  /** Highest level of the heading. */
  least?: 2 | 3 | 4;
  /** Beside the heading, at the right. */
  children?: ReactNode;
}

/** A heading with what belongs to it, which moves below where it is narrow. */
export const Head = ({ title, headingId, least, fz, children, ...props }: HeadProps) => (
  <Flex gap={8} align="center" justify="space-between" wrap="wrap" mih={28} mb={12} {...props}>
    <Title id={headingId} least={least} fz={fz ?? 14}>
      {title}
    </Title>
    {children}
  </Flex>
);

interface PartProps extends Omit<ComponentProps<'section'>, 'title' | keyof BoxProps>, BoxProps {
  /** Its heading, and its name unless `aria-label` is another. */
  title?: ReactNode;
  least?: HeadProps['least'];
  /** Beside the heading. */
  actions?: ReactNode;
}

export const Section = ({ title, least, actions, children, ...props }: PartProps) => {
  const heading = useId();
  const named = props['aria-label'] ?? props['aria-labelledby'];
  return (
    <Box
      component="section"
      aria-labelledby={title !== undefined && named === undefined ? heading : undefined}
      {...props}
    >
      {title !== undefined && (
        <Head title={title} headingId={heading} least={least}>
          {actions}
        </Head>
      )}
      {children}
    </Box>
  );
};

export const Card = (props: PartProps) => <Section className={look.raised} p={16} {...props} />;
