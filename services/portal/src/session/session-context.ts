import { createSafeContext } from '@mantine/core';
import type { Session } from './session.js';

export const [SessionContext, useSession] = createSafeContext<Session>('no SessionContext above');
