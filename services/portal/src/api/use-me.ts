import { useQuery } from '@tanstack/react-query';
import { useApi } from './api.js';

/** The signed-in user as the API reports it; undefined until loaded. */
export const useMe = () => useQuery(useApi().queries.me()).data;

/** Undefined until loaded. */
export const useRole = () => useMe()?.role;
