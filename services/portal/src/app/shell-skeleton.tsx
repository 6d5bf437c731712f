import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../language/language.js';
import { Loading } from '../components/loading-and-errors/skeletons.js';
import classes from './shell.module.css';
import { TERMS } from '../language/terms.js';
import icon from '../theme/icon.svg';

/** Page frame without a signed-in user. */
export function SignedOutFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className={classes.header}>
        <Product />
      </header>
      <main id="content" className={classes.content}>
        {children}
      </main>
    </>
  );
}

/** Shown until it is known who is signed in. */
export const ShellSkeleton = () => (
  <SignedOutFrame>
    <Loading>
      <Skeleton height={20} width={160} my={6} />
    </Loading>
  </SignedOutFrame>
);

export function Product() {
  const { product } = useTexts(TERMS);
  return (
    <span className={classes.product}>
      <img src={icon} alt="" width={20} height={20} />
      <span className={classes.productName}>{product}</span>
    </span>
  );
}
