import { Button, Menu, type MenuProps } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './orders.module.css';

/** A button that opens a menu. `quiet`: less prominent, for use beside text. */
export function ListMenu(props: {
  label: string;
  quiet?: boolean;
  position?: MenuProps['position'];
  children: ReactNode;
}) {
  const { label, quiet = false, position = 'bottom-start', children } = props;
  const look = quiet
    ? ({ variant: 'subtle', color: 'gray', className: classes.quietButton } as const)
    : ({ variant: 'default' } as const);
  return (
    <Menu position={position}>
      <Menu.Target>
        <Button size="sm" {...look} rightSection={<IconChevronDown size={14} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>{children}</Menu.Dropdown>
    </Menu>
  );
}
