import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.js';

/** Who is signed in, as the API says it; undefined until it does. */
export const useMe = () => useQuery(useApi().queries.me()).data;

/** Undefined until it is known. */
export const useRole = () => useMe()?.role;
