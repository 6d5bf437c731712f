import { Skeleton } from '@mantine/core';
import { TextSkeleton } from '../states/skeletons.js';

/** While the files of a page are loaded. */
export const PageSkeleton = () => (
  <>
    <Skeleton height={20} width={160} my={6} mb={22} />
    <TextSkeleton lines={6} />
  </>
);
