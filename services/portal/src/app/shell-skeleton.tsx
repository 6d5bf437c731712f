import { Skeleton } from '@mantine/core';
import { useTexts } from '../language/language.js';
import { STATES } from '../states/texts.js';
import { Product } from './product.js';
import classes from './shell.module.css';

/** While it is not known who is signed in. */
export function ShellSkeleton() {
  const { loading } = useTexts(STATES);
  return (
    <>
      <div className={classes.header}>
        <Product />
      </div>
      <main className={classes.content} role="status" aria-label={loading}>
        <Skeleton height={20} width={160} my={6} />
      </main>
    </>
  );
}
