import { ApiProblem, type PurchaseOrderClient } from '@po/client';
import type { View, ViewRequest } from './schemas.js';
import { onVersion } from './writes.js';

export const createView = async (client: PurchaseOrderClient, body: ViewRequest): Promise<View> =>
  (await client.POST('/views', { body })).data;

/** Replaces the whole view; refused with 412 if the view changed since this version was read. */
export const replaceView = async (
  client: PurchaseOrderClient,
  { id, version }: Pick<View, 'id' | 'version'>,
  body: ViewRequest,
): Promise<View> =>
  (
    await client.PUT('/views/{id}', {
      params: { path: { id } },
      headers: onVersion(version),
      body,
    })
  ).data;

/** Succeeds also if the view has already been deleted. */
export async function deleteView(client: PurchaseOrderClient, id: string): Promise<void> {
  try {
    await client.DELETE('/views/{id}', { params: { path: { id } } });
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'VIEW_NOT_FOUND') throw error;
  }
}

export const requestOf = ({ name, query, columns, shared }: View): ViewRequest => ({ name, query, columns, shared });
