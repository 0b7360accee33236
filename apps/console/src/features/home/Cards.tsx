/** Links to products, domains and servers, each with its count. */
import { Box } from '@mantine/core';
import { IconBox, IconServer, IconWorld, type Icon } from '@tabler/icons-react';
import type { Answer, home } from '@quarterdeck/contract';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import classes from './home.module.css';

type Counts = Answer<typeof home.overview>['counts'];

const cards: readonly { of: keyof Counts; title: string; caption: string; to: string; icon: Icon }[] = [
  { of: 'products', title: 'Product', caption: 'Manage your products', to: paths.products(), icon: IconBox },
  { of: 'domains', title: 'Domain', caption: 'Manage your domains', to: paths.domains(), icon: IconWorld },
  { of: 'servers', title: 'Server', caption: 'Manage your servers', to: paths.servers(), icon: IconServer },
];

export const Cards = ({ counts }: { counts: Counts | undefined }) => (
  <ul className={classes.cards}>
    {cards.map(({ of, title, caption, to, icon: Shape }) => (
      <li key={to}>
        <Link to={to} className={classes.card}>
          <Shape size={20} stroke={1.6} aria-hidden />
          <strong>{title}</strong>
          <Box component="span" mih={20} fw={600}>
            {counts?.[of].toLocaleString('en')}
          </Box>
          <span className={classes.caption}>{caption}</span>
        </Link>
      </li>
    ))}
  </ul>
);
