import { createHash } from 'node:crypto';
import { Controller, Req, Res } from '@nestjs/common';
import { PATTERNS, ProblemError } from '@po/contracts';
import { unavailable } from '@po/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileBody } from '../../http/file-body.js';
import { API_ROOT } from '../../http/route-table.js';
import { tableIn } from '../../spreadsheets/import-file.js';
import { readUpload } from '../read-request.js';
import { Route } from '../route.js';
import { spreadsheets } from './spreadsheets.operations.js';
import { Upstream, sendResponse } from '../upstream.js';

const { importLineItems } = spreadsheets;

@Controller(API_ROOT)
export class ImportsController {
  constructor(private readonly upstream: Upstream) {}

  /** Reads a file of either type here. The order service decides who may send it and what it means for the order. */
  @Route(importLineItems)
  async importLineItems(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { file, query, conditions, params } = await readUpload(
      importLineItems,
      request,
      (known) => this.check(known, request),
      fileAndTable,
    );
    const { sha256, table } = file;
    // A dry run is a query, so it has no key.
    const { idempotencyKey: _key, idempotencyOrigin: _origin, ...precondition } = conditions;
    const answer = query.dryRun
      ? this.upstream.request(PATTERNS.previewImport, { ...params, table }, request, precondition)
      : this.upstream.request(PATTERNS.importLines, { ...params, file: sha256, table }, request, {
          key: params.poRef ?? null,
          ...conditions,
        });
    sendResponse(await answer, reply);
  }

  /** Throws PO_NOT_FOUND, ROLE_NOT_ALLOWED or UNAVAILABLE. All other errors come from the import itself. */
  private async check(params: Record<string, string>, request: FastifyRequest): Promise<void> {
    const { status } = await this.upstream.request(PATTERNS.checkImport, params, request).catch((error: unknown) => {
      // TIMEOUT would say that the write may have been done, but no more than this query was sent.
      throw error instanceof ProblemError && error.code === 'TIMEOUT' ? unavailable() : error;
    });
    if (status === 404) throw new ProblemError('PO_NOT_FOUND');
    if (status === 403) throw new ProblemError('ROLE_NOT_ALLOWED');
  }
}

const fileAndTable = async (file: FileBody) => ({
  sha256: createHash('sha256').update(file.bytes).digest('hex'),
  table: await tableIn(file),
});
